/**
 * Finds the next of several texts in a buffer. Each is looked for once only in every part, so that a rare one beside a
 * frequent one costs one pass. Places must be asked for in rising order.
 */
export function createNeedleFinder(bytes: Buffer, needles: readonly Buffer[]): (from: number) => number {
  const next = needles.map(() => -1)
  return (from) => {
    let first = Number.POSITIVE_INFINITY
    for (const [index, needle] of needles.entries()) {
      let at = next[index] ?? -1
      if (at < from) {
        at = bytes.indexOf(needle, from)
        if (at < 0) at = Number.POSITIVE_INFINITY
        next[index] = at
      }
      if (at < first) first = at
    }
    return first === Number.POSITIVE_INFINITY ? -1 : first
  }
}
