import type { MemoryItem } from '@kgent/contracts'

/** Shorter words begin too many others. */
const LONG_WORD = 4
const SCORE_OF_A_PART = 0.25

/**
 * The items with a word of the query in their text or tags (long ones: begun alike), best first; the score, 0 to 1, is the
 * share of the query's words, a rare word counting more. Where there are none: items with the whole query as a part.
 */
export function rankByWords(items: readonly MemoryItem[], query: string): MemoryItem[] {
  const texts = items.map((item) => normalised([item.content, ...tagsOf(item)].join(' ')))
  const padded = texts.map((text) => ` ${wordsOf(text).join(' ')} `)
  const words = [...new Set(wordsOf(normalised(query)))].map((word) => {
    const needle = word.length < LONG_WORD ? ` ${word} ` : ` ${word}`
    const hits = new Set(padded.flatMap((text, at) => (text.includes(needle) ? [at] : [])))
    return { hits, weight: 1 / (1 + Math.log(Math.max(hits.size, 1))) }
  })
  const all = sum(words)
  const scored = items.map((item, at) => ({
    ...item,
    score: sum(words.filter(({ hits }) => hits.has(at))) / (all || 1),
  }))
  const found = scored.filter(({ score }) => score > 0)
  return (found.length > 0 ? found : withPart(items, { texts, query })).sort(byScoreThenTime)
}

function withPart(
  items: readonly MemoryItem[],
  { texts, query }: { texts: readonly string[]; query: string },
): MemoryItem[] {
  const part = normalised(query).trim()
  if (part === '') return []
  return items
    .filter((_item, at) => texts[at]?.includes(part))
    .map((item) => ({ ...item, score: SCORE_OF_A_PART }))
}

function normalised(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

function wordsOf(text: string): string[] {
  return text.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== '')
}

function sum(words: readonly { weight: number }[]): number {
  return words.reduce((total, { weight }) => total + weight, 0)
}

function byScoreThenTime(a: MemoryItem, b: MemoryItem): number {
  return (b.score ?? 0) - (a.score ?? 0) || timeOf(b).localeCompare(timeOf(a))
}

function tagsOf({ metadata }: MemoryItem): string[] {
  return Array.isArray(metadata.tags) ? metadata.tags.filter((tag) => typeof tag === 'string') : []
}

function timeOf({ metadata }: MemoryItem): string {
  return typeof metadata.createdAt === 'string' ? metadata.createdAt : ''
}
