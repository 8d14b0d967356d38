import { hash } from 'node:crypto'

const LONGEST_KEY = 200

/** The key under which a scope keeps an item once: the caller's, or one made of scope and normalised content. */
export function memoryKey(item: { content: string; scope: string }, given: string | undefined): string {
  if (given === undefined) return hash('sha256', `${item.scope}\0${normalised(item.content)}`)
  // An index entry has little room, and NUL none at all.
  return given.length <= LONGEST_KEY && /^[\x20-\x7e]+$/.test(given) ? given : hash('sha256', given)
}

function normalised(content: string): string {
  return content.normalize('NFKC').trim().replace(/\s+/g, ' ')
}
