import { hash } from 'node:crypto'

/** The key under which a scope keeps an item once: the caller's, or one made of scope and normalised content. */
export function memoryKey(item: { content: string; scope: string }, given: string | undefined): string {
  return given ?? hash('sha256', `${item.scope}\0${normalised(item.content)}`)
}

function normalised(content: string): string {
  return content.normalize('NFKC').trim().replace(/\s+/g, ' ')
}
