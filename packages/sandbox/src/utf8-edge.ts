/** The place nearest to `place`, and not after it, that cuts no UTF-8 character in two. */
export function utf8Edge(bytes: Uint8Array, place: number): number {
  let lead = place - 1
  while (lead > 0 && lead > place - 4 && ((bytes[lead] ?? 0) & 0xc0) === 0x80) lead -= 1
  const length = lengthAfter(bytes[lead] ?? 0)
  return lead >= 0 && lead + length > place ? lead : place
}

/** Bytes of the character that a byte begins. */
function lengthAfter(lead: number): number {
  if (lead >= 0xf0) return 4
  if (lead >= 0xe0) return 3
  return lead >= 0xc0 ? 2 : 1
}
