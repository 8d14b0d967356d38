import type { ReviewGroup } from './review-group.ts'

/** Share of words that two texts must have in common to be called similar. */
const THRESHOLD = 0.6
/** A word that stands in more texts than this tells nothing about them. */
const MAX_COMMON = 200
const MAX_SIMILAR = 5

/** Names, for each group, others of its scope that say nearly the same: hints for a person, nothing is merged. */
export function noteSimilar(groups: readonly ReviewGroup[]): void {
  const words = groups.map(({ content }) => wordsOf(content))
  const index = indexOf(groups, words)
  for (const [at, group] of groups.entries()) {
    const own = words[at] ?? new Set<string>()
    const shared = new Map<number, number>()
    for (const word of own) {
      const others = index.get(`${group.scope}\0${word}`) ?? []
      if (others.length > MAX_COMMON) continue
      for (const other of others) if (other !== at) shared.set(other, (shared.get(other) ?? 0) + 1)
    }
    group.similar = [...shared.keys()]
      .map((other) => ({ key: groups[other]?.key ?? '', share: shareOf(own, words[other] ?? own) }))
      .filter(({ share }) => share >= THRESHOLD)
      .sort((one, other) => other.share - one.share || (one.key < other.key ? -1 : 1))
      .slice(0, MAX_SIMILAR)
      .map(({ key }) => key)
  }
}

function indexOf(groups: readonly ReviewGroup[], words: readonly Set<string>[]): Map<string, number[]> {
  const index = new Map<string, number[]>()
  for (const [at, group] of groups.entries()) {
    for (const word of words[at] ?? []) {
      const key = `${group.scope}\0${word}`
      const places = index.get(key)
      if (places) places.push(at)
      else index.set(key, [at])
    }
  }
  return index
}

/** Words in lower case; of scripts without blanks, pairs of characters. */
function wordsOf(content: string): Set<string> {
  const text = content.normalize('NFKC').toLowerCase()
  const found = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+|[\p{L}\p{N}]+/gu) ?? []
  return new Set(
    found.flatMap((word) =>
      /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(word) ? pairs(word) : [word],
    ),
  )
}

function pairs(word: string): string[] {
  const characters = [...word]
  if (characters.length < 2) return characters
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}

function shareOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let common = 0
  for (const word of one) if (other.has(word)) common += 1
  return common / (one.size + other.size - common || 1)
}
