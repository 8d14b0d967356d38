const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

const MAX_SUMMARY_CHARS = 200

/** One line without control characters, cut at a character edge. */
export function oneLine(text: string, maxChars = MAX_SUMMARY_CHARS): string {
  const line = text
    .slice(0, maxChars * 4)
    .replace(/[\r\n\t\u2028\u2029]+/g, ' ')
    .replace(CONTROL, '')
    .replace(LONE_SURROGATE, '\ufffd')
  return line.length <= maxChars ? line : `${cutAtCharacter(line, maxChars - 1)}…`
}

/** Cuts text without splitting a surrogate pair. */
export function cutAtCharacter(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const last = text.charCodeAt(maxChars - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxChars - 1 : maxChars)
}

/** Control and direction characters as escapes, so that text shown to a person cannot redraw the screen. */
export function escapeForDisplay(text: string): string {
  return text.replace(CONTROL, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
