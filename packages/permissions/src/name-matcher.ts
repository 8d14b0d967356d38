/** Tool names or scopes: exact, or with `*` for any run of characters. */
export interface NameMatcher {
  readonly names: ReadonlySet<string>
  /** The texts between the stars of each pattern. */
  readonly patterns: readonly (readonly string[])[]
  /** Whether one of them is `*` and nothing else. */
  readonly isEveryName: boolean
}

export function compileNames(texts: readonly string[]): NameMatcher {
  const patterns = texts.filter((text) => text.includes('*')).map((text) => text.split('*'))
  return {
    names: new Set(texts.filter((text) => !text.includes('*'))),
    patterns,
    isEveryName: patterns.some((parts) => parts.every((part) => part === '')),
  }
}

export function matchesName({ names, patterns }: NameMatcher, name: string): boolean {
  return names.has(name) || patterns.some((parts) => matchesParts(parts, name))
}

/** Without backtracking, since a scope may be any text that an agent makes up. */
function matchesParts(parts: readonly string[], name: string): boolean {
  const first = parts[0] as string
  const last = parts.at(-1) as string
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length)
    return false
  const end = name.length - last.length
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, at)
    if (found < 0 || found + part.length > end) return false
    at = found + part.length
  }
  return true
}
