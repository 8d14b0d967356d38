import type { ReviewGroup } from './review-group.ts'

/** Share of words that two texts must have in common to be called similar. */
const THRESHOLD = 0.6
/** A word that stands in more texts than this is not looked up: it tells little, and would make every text a neighbour. */
const MAX_COMMON = 100
const MAX_SIMILAR = 5

const UNSPACED = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]`
const WORDS = new RegExp(String.raw`${UNSPACED}+|[\p{L}\p{N}]+`, 'gu')
const IS_UNSPACED = new RegExp(`^${UNSPACED}`, 'u')

/** Finds, for a group, others of its scope that say nearly the same: hints for a person, nothing is merged. */
export interface SimilarFinder {
  /** Keys of the most similar groups, at most 5. */
  to(group: ReviewGroup): string[]
}

interface Entry {
  key: string
  words: ReadonlySet<string>
  /** How many of its words are too common to be looked up. */
  common: number
}

/** Prepares looking for similar groups among these. */
export function findSimilar(groups: readonly ReviewGroup[]): SimilarFinder {
  const index = new Map<string, Entry[]>()
  const entries = groups.map((group) => ({
    group,
    entry: { key: group.key, words: wordsOf(group.content), common: 0 },
  }))
  for (const { group, entry } of entries) {
    for (const word of entry.words) place(index, { at: `${group.scope}\0${word}`, entry })
  }
  for (const standing of index.values()) {
    if (standing.length > MAX_COMMON) for (const entry of standing) entry.common += 1
  }
  const byKey = new Map(entries.map(({ group, entry }) => [group.key, entry]))
  return {
    to(group) {
      const own = byKey.get(group.key)
      return own ? mostSimilar(own, neighbours(own, { index, scope: group.scope })) : []
    },
  }
}

function place(index: Map<string, Entry[]>, { at, entry }: { at: string; entry: Entry }): void {
  const standing = index.get(at)
  if (standing) standing.push(entry)
  else index.set(at, [entry])
}

/** Groups that share a word that is not too common, with how many they share. */
function neighbours(
  own: Entry,
  { index, scope }: { index: Map<string, Entry[]>; scope: string },
): Map<Entry, number> {
  const shared = new Map<Entry, number>()
  for (const word of own.words) {
    const standing = index.get(`${scope}\0${word}`) ?? []
    if (standing.length > MAX_COMMON) continue
    for (const other of standing) if (other !== own) shared.set(other, (shared.get(other) ?? 0) + 1)
  }
  return shared
}

function mostSimilar(own: Entry, shared: ReadonlyMap<Entry, number>): string[] {
  const similar: { key: string; share: number }[] = []
  for (const [other, rare] of shared) {
    const most = rare + Math.min(own.common, other.common)
    if (shareOf(most, own, other) < THRESHOLD) continue
    const share = shareOf(countCommon(own.words, other.words), own, other)
    if (share >= THRESHOLD) similar.push({ key: other.key, share })
  }
  similar.sort((one, other) => other.share - one.share || (one.key < other.key ? -1 : 1))
  return similar.slice(0, MAX_SIMILAR).map(({ key }) => key)
}

function shareOf(common: number, one: Entry, other: Entry): number {
  return common / (one.words.size + other.words.size - common || 1)
}

function countCommon(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let common = 0
  for (const word of one) if (other.has(word)) common += 1
  return common
}

/** Words in lower case; of scripts without blanks, pairs of characters. */
function wordsOf(content: string): Set<string> {
  const found = content.normalize('NFKC').toLowerCase().match(WORDS) ?? []
  return new Set(found.flatMap((word) => (IS_UNSPACED.test(word) ? pairsOf(word) : [word])))
}

function pairsOf(word: string): string[] {
  const characters = [...word]
  if (characters.length < 2) return characters
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}
