import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createRedactor, createRunLog, RUN_EVENT_TYPES, type RunEvent } from '@kgent/logging'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { draft, folder, read } from './fixture.ts'

const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789']
const made = (length: number) =>
  fc
    .array(fc.constantFrom(...letters), { minLength: length, maxLength: length })
    .map((chars) => `Zq7${chars.join('')}`)

/** A secret, and a text that shows it in one of the forms that must be masked. */
const inForm = fc.tuple(
  made(33),
  fc.constantFrom<(secret: string) => string>(
    (s) => `Bearer ${s}`,
    (s) => `SERVICE_PASSWORD=${s}`,
    (s) => `https://user:${s}@host/path`,
    (s) => `{"api_key":"${s}"}`,
    (s) => `ghp_${s}`,
    (s) => `sk-${s}`,
    (s) => `eyJ${s}.${s}.${s}`,
    (s) => `xoxb-${s}`,
    (s) => `X-Auth-Token: ${s}`,
    (s) => `-----BEGIN PRIVATE KEY-----\n${s}\n-----END PRIVATE KEY-----`,
  ),
)

const known = fc.oneof(
  made(9),
  fc.string({ minLength: 6, maxLength: 30, unit: 'grapheme' }).map((s) => `Zq7${s}`),
)
const spelt = fc.constantFrom<(secret: string) => string>(
  (s) => s,
  (s) => encodeURIComponent(s),
  (s) => Buffer.from(`user:${s}`).toString('base64'),
  (s) => Buffer.from(s).toString('base64url'),
  (s) => JSON.stringify({ deep: s }),
)
const around = fc
  .string({ maxLength: 20, unit: 'grapheme' })
  .map((text) => text.replaceAll(/[\w+/=%-]/g, ' '))

/** Puts a text into every free place of every kind of line, and returns all that was written and told. */
async function writeEverywhere(text: string, secrets: string[]): Promise<string> {
  const dir = folder()
  const log = createRunLog({ dir, runId: 'run-1', redact: { secrets } })
  const told: RunEvent[] = []
  log.events.subscribe((event) => told.push(event))
  const deep = { a: [{ b: { c: [text, { [text]: text }] } }] }
  const [decision] = draft().decisions
  log.logger.record(
    draft({
      summary: text,
      toolCallId: text,
      tool: text,
      decisions: decision
        ? [{ ...decision, resource: text, reason: text, rule: text, requestedBy: [text] }]
        : [],
      input: { sha256: 'a'.repeat(64), bytes: 1, shape: deep },
      artifacts: [{ path: text, bytes: 1, sha256: 'a'.repeat(64) }],
      error: { code: 'tool_failed', message: text, hint: text, retryable: false, details: deep },
    }),
  )
  log.logger.recordError({
    callId: null,
    tool: text,
    code: 'internal',
    message: text,
    thrown: `Error: ${text}`,
  })
  for (const type of RUN_EVENT_TYPES)
    log.events.record({ type, callId: 'c', data: { ...deep, message: text } })
  await log.close()
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.jsonl'),
  )
  expect(files).toHaveLength(3)
  return JSON.stringify(told) + files.map((name) => read(join(dir, name))).join('')
}

describe('redaction', () => {
  it('leaves no planted secret of a known form in any log, event or error file', async () => {
    await fc.assert(
      fc.asyncProperty(inForm, around, around, async ([secret, show], before, after) => {
        const written = await writeEverywhere(`${before} ${show(secret)} ${after}`, [])
        expect(written).not.toContain(secret)
      }),
      { numRuns: 100 },
    )
  })

  it('leaves no secret that the run was told about, however it is encoded', async () => {
    await fc.assert(
      fc.asyncProperty(known, spelt, around, async (secret, spell, before) => {
        const shown = spell(secret)
        const written = await writeEverywhere(`${before} ${shown} ${before}`, [secret])
        expect(written).not.toContain(JSON.stringify(secret).slice(1, -1))
        expect(written).not.toContain(JSON.stringify(shown).slice(1, -1))
      }),
      { numRuns: 100 },
    )
  })

  it('the quick look never misses what the masks would change', () => {
    const words = fc.constantFrom(
      'Bearer ',
      'password',
      'token',
      '=',
      ':',
      ' ',
      '"',
      '://',
      '@',
      'sk-',
      'ghp_',
      'api_key',
      'AKIA',
      'eyJ',
      '.',
      '?sig=',
      'Cookie',
    )
    const text = fc
      .array(fc.oneof(words, made(20), fc.string({ maxLength: 5 })), { maxLength: 8 })
      .map((parts) => parts.join(''))
    const redactor = createRedactor()
    fc.assert(
      fc.property(text, (given) => {
        if (redactor.text(given) !== given) expect(redactor.suspects(JSON.stringify({ given }))).toBe(true)
      }),
      { numRuns: 5_000 },
    )
  })

  it('masking twice is masking once', () => {
    const redactor = createRedactor({ secrets: ['Zq7-known-value'] })
    fc.assert(
      fc.property(inForm, around, ([secret, show], before) => {
        const once = redactor.text(`${before} ${show(secret)} Zq7-known-value`)
        expect(redactor.text(once)).toBe(once)
      }),
    )
  })
})
