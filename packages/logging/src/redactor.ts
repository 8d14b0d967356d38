import type { JsonObject, JsonValue } from '@kgent/contracts'
import { MASK_PLACE, SECRET_FORMS } from './secret-forms.ts'
import { hintsAtSecret } from './secret-hints.ts'
import { escapeForPattern, secretValues } from './secret-values.ts'

export interface RedactionOptions {
  /** Further key names whose values are masked. Case, `_`, `-`, `.` and spaces do not matter. */
  keys?: readonly string[]
  /** Exact values that must never appear: plain, in JSON, in a URL or in Base64. At least 4 characters each. */
  secrets?: readonly string[]
}

/** Masks secrets, synchronously. What is masked reads `[redacted]`. */
export interface Redactor {
  /** Masks known secrets and everything that has the form of one. */
  text(text: string): string
  /** The same for every key and string of a JSON value. Returns a copy. */
  texts<T extends JsonValue>(value: T): T
  /** The same, and masks the values of secret keys at any depth. Returns a copy. */
  value<T extends JsonValue>(value: T): T
  /** Whether JSON text can hold anything to mask. Quick; errs to the side of yes. */
  suspects(json: string): boolean
}

const MASK = '[redacted]'
const TOO_DEEP = '[too deep]'
const MAX_DEPTH = 64

const SECRET_KEY =
  /(?:passw(?:or)?d|pwd|passphrase|passcode|secret|token|apikey|accesskey|secretkey|privatekey|signingkey|encryptionkey|authorization|cookies?|credentials?)$/

/** Builds a redactor: by key name, by the exact values of secrets and by form. */
export function createRedactor(options: RedactionOptions = {}): Redactor {
  const keys = new Set((options.keys ?? []).map(plainKey).filter((key) => key !== ''))
  const keyPattern = keyNames(keys)
  const values = secretValues(options.secrets ?? [])

  function text(given: string): string {
    const masked = values === null ? given : given.replace(values.inText, MASK)
    return hintsAtSecret(masked) ? SECRET_FORMS.reduce(maskForm, masked) : masked
  }

  function masksKey(key: string): boolean {
    const plain = plainKey(key)
    return SECRET_KEY.test(plain) || keys.has(plain)
  }

  function suspects(json: string): boolean {
    if (hintsAtSecret(json) || keyPattern?.test(json)) return true
    return values !== null && json.search(values.inLine) >= 0
  }

  return {
    text,
    texts: (value) => mapStrings(value, { text, masksKey: () => false }, 0) as typeof value,
    value: (value) => mapStrings(value, { text, masksKey }, 0) as typeof value,
    suspects,
  }
}

interface Masking {
  text: (text: string) => string
  masksKey: (key: string) => boolean
}

function mapStrings(value: JsonValue, masking: Masking, depth: number): JsonValue {
  if (typeof value === 'string') return masking.text(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth > MAX_DEPTH) return TOO_DEEP
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, masking, depth + 1))
  const fields = Object.entries(value).map(([key, held]) => {
    const isMasked = holdsSomething(held) && masking.masksKey(key)
    return [masking.text(key), isMasked ? MASK : mapStrings(held, masking, depth + 1)]
  })
  return Object.fromEntries(fields) as JsonObject
}

function holdsSomething(value: JsonValue): boolean {
  return value !== null && typeof value !== 'boolean' && value !== ''
}

/** Finds the given keys, however they are spelt, in JSON text. */
function keyNames(keys: ReadonlySet<string>): RegExp | null {
  if (keys.size === 0) return null
  const spelt = [...keys].map((key) => [...key].map(escapeForPattern).join('[_. -]*'))
  return new RegExp(spelt.join('|'), 'iu')
}

function maskForm(text: string, { pattern, keep }: (typeof SECRET_FORMS)[number]): string {
  return text.replace(pattern, keep === undefined ? MASK : keep.replace(MASK_PLACE, MASK))
}

function plainKey(key: string): string {
  return key.toLowerCase().replace(/[_. -]+/g, '')
}
