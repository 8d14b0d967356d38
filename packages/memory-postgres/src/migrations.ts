interface Names {
  readonly schema: string
  /** The quoted schema that holds pg_trgm. */
  readonly trigramSchema: string
}

export interface Migration {
  readonly version: number
  sql(names: Names): string
}

/** In order, never changed once released: a later need is a later entry. */
export const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    // `array_to_string` counts as changeable because of types other than text; of texts it is not.
    // fastupdate off: a read never has to search what writes have not yet merged.
    sql: ({ schema, trigramSchema }) => `
      create function ${schema}.item_words(content text, tags text[]) returns tsvector
        language sql immutable strict parallel safe
        as $$ select pg_catalog.to_tsvector('pg_catalog.simple'::pg_catalog.regconfig,
          content || ' ' || pg_catalog.array_to_string(tags, ' ')) $$;
      create table ${schema}.item (
        id uuid primary key default gen_random_uuid(),
        scope text collate "C" not null check (scope <> ''),
        content text not null,
        tags text[] not null,
        key text collate "C" not null,
        metadata jsonb not null,
        created_at timestamptz not null default now(),
        words tsvector not null generated always as (${schema}.item_words(content, tags)) stored,
        unique (scope, key)
      );
      create index item_words on ${schema}.item using gin (scope, words) with (fastupdate = off);
      create index item_trigrams on ${schema}.item
        using gin (scope, content ${trigramSchema}.gin_trgm_ops) with (fastupdate = off);`,
  },
]
