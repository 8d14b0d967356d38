/** Values: query, scope, limit. All words of the query, best first; a score of 0.5 to 1. */
export function exactStatement(schema: string): string {
  return `
    select id, scope, content, tags, metadata, created_at, 0.5 + ts_rank(words, query, 32) / 2 as score
    from ${schema}.item, plainto_tsquery('simple', $1) query
    where scope = $2 and words @@ query
    order by score desc, created_at desc, id
    limit $3`
}

/**
 * Values: query, scope, limit, LIKE pattern, ids already found. Each longer word in spite of a slip, and the whole
 * query as a part of the text (for scripts that do not part words); a score of 0 to 0.5.
 * A word that very many items share is looked for in ${MOST_HITS} of them only.
 */
export function similarStatement(schema: string, trigramSchema: string): string {
  const similarity = `${trigramSchema}.word_similarity`
  return `
    with word as materialized (
      select distinct lexeme as text from unnest(to_tsvector('simple', $1))
      where char_length(lexeme) >= ${SHORTEST_WORD} limit ${MOST_WORDS}
    ), hit as (
      select found.id, ${similarity}(word.text, found.content) as similarity
      from word cross join lateral (
        select id, content from ${schema}.item
        where scope = $2 and content operator(${trigramSchema}.%>) word.text limit ${MOST_HITS}
      ) found
      union all (
        select id, (select greatest(count(*), 1) from word)
        from ${schema}.item where scope = $2 and content ilike $4 limit ${MOST_HITS}
      )
    ), best as (
      select id, least(sum(similarity) / (select greatest(count(*), 1) from word), 1) / 2 as score
      from hit where id <> all ($5::uuid[]) group by id
    )
    select item.id, scope, content, tags, metadata, created_at, score
    from best join ${schema}.item on item.id = best.id
    order by score desc, created_at desc, item.id
    limit $3`
}

/** Shorter words are in too many texts, and alike too often. */
const SHORTEST_WORD = 4
const MOST_WORDS = 16
const MOST_HITS = 1_000

export const TRIGRAM_SCHEMA_STATEMENT = `
  select quote_ident(nspname) as name from pg_catalog.pg_extension
  join pg_catalog.pg_namespace on pg_namespace.oid = extnamespace where extname = 'pg_trgm'`

/** Values: scope, content, tags, key, metadata. No row when the scope has an item of this key. */
export function insertStatement(schema: string): string {
  return `
    insert into ${schema}.item (scope, content, tags, key, metadata) values ($1, $2, $3, $4, $5)
    on conflict (scope, key) do nothing returning id`
}

/** Values: scope, key. */
export function itemOfKeyStatement(schema: string): string {
  return `select id from ${schema}.item where scope = $1 and key = $2`
}
