const MAX_EDITS = 2

/** The known name that a misspelt one was probably meant to be, or null. */
export function nearestName(name: string, known: Iterable<string>): string | null {
  const plain = plainName(name)
  let best: { name: string; edits: number } | null = null
  for (const candidate of known) {
    const edits = editsBetween(plain, plainName(candidate))
    if (edits <= Math.min(MAX_EDITS, plain.length / 3) && (best === null || edits < best.edits))
      best = { name: candidate, edits }
  }
  return best?.name ?? null
}

/** A name without case and separators: `filesystem_write` is `filesystemWrite`. */
export function plainName(name: string): string {
  return name.replace(/[._\-\s]/g, '').toLowerCase()
}

function editsBetween(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > MAX_EDITS) return MAX_EDITS + 1
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1))
    }
    row = next
  }
  return row.at(-1) as number
}
