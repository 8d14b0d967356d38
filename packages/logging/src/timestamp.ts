let lastMs = 0
let lastText = ''

/** Now, as ISO 8601 in UTC with milliseconds. */
export function timestamp(): string {
  const now = Date.now()
  if (now !== lastMs) {
    lastMs = now
    lastText = new Date(now).toISOString()
  }
  return lastText
}
