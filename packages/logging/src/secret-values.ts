import { lineText } from './line-text.ts'

const SHORTEST_SECRET = 4
const SHORTEST_ENCODED = 6
const LONG_LINE = 16

/** Finds known secrets. `inLine` is for the text of a whole log line. */
export interface SecretValues {
  inText: RegExp
  inLine: RegExp
}

/**
 * Patterns for the exact values of secrets and what they look like inside JSON, URLs and Base64; null without secrets.
 * Values shorter than 4 characters are left out: they would mask everything.
 */
export function secretValues(secrets: readonly string[]): SecretValues | null {
  const known = secrets.flatMap(partsOf).filter((secret) => secret.length >= SHORTEST_SECRET)
  if (known.length === 0) return null
  const spellings = [...new Set(known.flatMap(spellingsOf))]
  return {
    inText: anyOf(spellings),
    inLine: anyOf(spellings.map((spelling) => lineText(spelling).slice(1, -1))),
  }
}

function anyOf(texts: readonly string[]): RegExp {
  const longestFirst = [...texts].sort((a, b) => b.length - a.length)
  return new RegExp(longestFirst.map(escapeForPattern).join('|'), 'g')
}

/** A value itself, without the white space around it, on one line as in a summary, and each long line of several. */
function partsOf(secret: string): string[] {
  const lines = secret.split(/[\r\n]+/).map((line) => line.trim())
  const longLines = lines.length > 1 ? lines.filter((line) => line.length >= LONG_LINE) : []
  return [secret, secret.trim(), secret.trim().replace(/[\r\n\t]+/g, ' '), ...longLines]
}

function spellingsOf(secret: string): string[] {
  const text = secret.toWellFormed()
  const inUrl = encodeURIComponent(text)
  const inForm = new URLSearchParams([['', text]]).toString().slice(1)
  const plain = [secret, text, inJson(text), inJson(inJson(text))]
  const encoded = [inUrl, inForm].flatMap((spelling) => [spelling, lowerCasePercents(spelling)])
  return [...plain, ...encoded, ...(secret.length >= SHORTEST_ENCODED ? inBase64(text) : [])]
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

function lowerCasePercents(text: string): string {
  return text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())
}

/** The characters that stand for the secret alone, at each of the three places it can have in a longer Base64 text. */
function inBase64(text: string): string[] {
  const bytes = Buffer.from(text)
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    const isPartial = (before + bytes.length) % 3 !== 0
    const own = encoded.slice(before === 0 ? 0 : before + 1, isPartial ? -1 : undefined)
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')]
  })
}

/** Text as a pattern that matches just it. */
export function escapeForPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
