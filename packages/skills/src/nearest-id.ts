/** The known id that differs from the given one only in case, blanks, accents or the kind of hyphen. */
export function nearestId(id: string, ids: readonly string[]): string | undefined {
  const wanted = plain(id)
  return ids.find((candidate) => plain(candidate) === wanted)
}

function plain(id: string): string {
  return id
    .normalize('NFKD')
    .replace(/[\p{M}\s_\-\u2010-\u2015]/gu, '')
    .toLowerCase()
}
