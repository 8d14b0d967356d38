/** The name under which a text that is no JSON stands in an input: the API takes back objects only. */
const TEXT = '$raw'

/** What stands in the place of an input that is no JSON. */
export function wrapMalformed(text: string): object {
  return { [TEXT]: text }
}

/** The text of a wrapped input, for the core to refuse; any other input as it is. */
export function unwrapMalformed(input: unknown): unknown {
  if (typeof input !== 'object' || input === null) return input
  const entries = Object.entries(input)
  const [name, text] = entries[0] ?? []
  return entries.length === 1 && name === TEXT && typeof text === 'string' ? text : input
}

/** Whether a text is no JSON. Nothing is not malformed: it stands for no arguments. */
export function isMalformed(text: string): boolean {
  if (text === '') return false
  try {
    JSON.parse(text)
    return false
  } catch {
    return true
  }
}
