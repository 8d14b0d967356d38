import { type CST, Parser } from 'yaml'

/**
 * How deeply collections are nested in a YAML text. Reads tokens without recursion, so that no text can exhaust the
 * stack before its depth is known.
 */
export function yamlDepth(text: string): number {
  const open = [...new Parser().parse(text)].map((token) => ({ token, depth: 0 }))
  let deepest = 0
  for (let next = open.pop(); next; next = open.pop()) {
    deepest = Math.max(deepest, next.depth)
    for (const token of childrenOf(next.token)) open.push({ token, depth: next.depth + 1 })
  }
  return deepest
}

function childrenOf(token: CST.Token): CST.Token[] {
  if (token.type === 'document') return token.value ? [token.value] : []
  if (!('items' in token)) return []
  return token.items.flatMap(({ key, value }) => [key, value].filter((child) => child != null))
}
