/** Texts up to this length are found by the built-in search, whose worst case is their length times that of the text. */
const SHORT = 64

/** Where a text occurs next, in linear time whatever both texts are; -1 when it does not. */
export function indexOfText(text: string, wanted: string, from = 0): number {
  if (wanted.length <= SHORT) return text.indexOf(wanted, from)
  const { value = -1 } = occurrences(text, wanted, { from }).next()
  return value
}

/** All places at which a text occurs, in order; those that overlap another one before them too when `overlapping` is set. */
export function* occurrences(
  text: string,
  wanted: string,
  { from = 0, overlapping = false }: { from?: number; overlapping?: boolean } = {},
): Generator<number, undefined> {
  if (wanted.length <= SHORT) {
    const step = overlapping ? 1 : wanted.length
    for (let at = text.indexOf(wanted, from); at >= 0; at = text.indexOf(wanted, at + step)) yield at
    return
  }
  // Knuth, Morris and Pratt: the text is read once, and never backwards.
  const fallback = borders(wanted)
  let matched = 0
  for (let at = from; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    while (matched > 0 && wanted.charCodeAt(matched) !== unit) matched = fallback[matched] ?? 0
    if (wanted.charCodeAt(matched) === unit) matched += 1
    if (matched < wanted.length) continue
    yield at + 1 - matched
    matched = overlapping ? (fallback[matched] ?? 0) : 0
  }
}

/** For each length, how much of the beginning is also an end of that much of the text. */
function borders(text: string): Int32Array {
  const lengths = new Int32Array(text.length + 1)
  let length = 0
  for (let at = 1; at < text.length; at += 1) {
    while (length > 0 && text.charCodeAt(at) !== text.charCodeAt(length)) length = lengths[length] ?? 0
    if (text.charCodeAt(at) === text.charCodeAt(length)) length += 1
    lengths[at + 1] = length
  }
  return lengths
}
