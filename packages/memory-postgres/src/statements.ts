/** Values: query, scope, limit. Items with all words of the query, best first; a score of 0.5 to 1. */
export function allWordsStatement(schema: string): string {
  return `
    select id, scope, content, tags, metadata, created_at, 0.5 + ts_rank(words, query, 32) / 2 as score
    from plainto_tsquery('simple', $1) query, lateral (
      select * from ${schema}.item where scope = $2 and words @@ query limit ${MOST_RANKED}
    ) item
    order by score desc, created_at desc, id
    limit $3`
}

/**
 * Values: query, scope, limit, ids already found. Items with some words of the query: begun alike or, for a word that
 * no item has, similar. The rarer a word, the more it counts; a score of 0 to 0.5.
 */
export function someWordsStatement(schema: string, trigramSchema: string): string {
  return `
    with word as materialized (
      select lexeme as text, char_length(lexeme) >= ${LONG_WORD} as long, ${tsqueryOfLexeme} as query
      from unnest(to_tsvector('simple', $1)) limit ${MOST_WORDS}
    ), begun as materialized (
      select word.text, item.id, 1 as similarity
      from word cross join lateral (
        select id from ${schema}.item where scope = $2 and words @@ word.query limit ${MOST_HITS}
      ) item
    ), missing as materialized (
      select text from word where long and not exists (select from begun where begun.text = word.text)
    ), hit as (
      select * from begun
      union all
      select missing.text, item.id, ${trigramSchema}.word_similarity(missing.text, item.content)
      from missing cross join lateral (
        select id, content from ${schema}.item
        where scope = $2 and content operator(${trigramSchema}.%>) missing.text limit ${MOST_HITS}
      ) item
    ), weight as (
      select word.text, 1 / (1 + ln(greatest(count(hit.id), 1))) as weight
      from word left join hit on hit.text = word.text group by word.text
    ), best as (
      select hit.id, sum(similarity * weight) / (select sum(weight) from weight) / 2 as score
      from hit join weight on weight.text = hit.text
      where hit.id <> all ($4::uuid[])
      group by hit.id order by score desc limit $3
    )
    select item.id, scope, content, tags, metadata, created_at, score::float8 as score
    from best join ${schema}.item on item.id = best.id
    order by score desc, created_at desc, item.id`
}

/** Values: pattern of LIKE, scope, limit. For scripts that do not part words, and for signs that are no word. */
export function partStatement(schema: string): string {
  return `
    select id, scope, content, tags, metadata, created_at, 0.25::float8 as score
    from ${schema}.item where content ilike $1 and scope = $2 order by created_at desc, id limit $3`
}

/** Shorter words begin too many others, and are alike too often. */
const LONG_WORD = 4
const MOST_WORDS = 16
/** Of a word that more items share, only so many are looked at: the time of a recall has a bound. */
const MOST_HITS = 1_000
const MOST_RANKED = 10_000

/** The lexeme, quoted; a long one stands for every word that begins with it. */
const tsqueryOfLexeme = String.raw`(
  '''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || ''''
  || case when char_length(lexeme) >= ${LONG_WORD} then ':*' else '' end
)::tsquery`

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
