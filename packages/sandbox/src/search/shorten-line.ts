/** The part of a line around a place, of at most `maxChars` characters, with no character cut in two. */
export function shortenLine(line: string, { at, maxChars }: { at: number; maxChars: number }): string {
  if (line.length <= maxChars) return line
  const start = Math.max(0, Math.min(at - Math.floor(maxChars / 4), line.length - maxChars))
  let part = line.slice(start, start + maxChars)
  if (isLow(part.charCodeAt(0)) && start > 0) part = part.slice(1)
  return isHigh(part.charCodeAt(part.length - 1)) ? part.slice(0, -1) : part
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
