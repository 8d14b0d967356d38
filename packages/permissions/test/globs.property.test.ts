import { buildEffectivePolicy, escapeGlob, validateRules } from '@kgent/permissions'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { referenceMatches } from './reference-glob.ts'

const RUNS = 10_000

const STRANGE = [
  'a',
  'b',
  'A',
  '.',
  '-',
  '_',
  ' ',
  '(',
  ')',
  '+',
  '@',
  '!',
  '|',
  '"',
  "'",
  '$',
  '^',
  '&',
  '~',
  '#',
  ';',
  ':',
  '<',
  '=',
  '%',
  '\n',
  '\t',
  'é',
  'e\u0301',
  '中',
  '😀',
  '\\',
  '*',
  '?',
  '[',
  ']',
  '{',
  '}',
  ',',
  '\u2028',
]
const strangeName = fc
  .string({ unit: fc.constantFrom(...STRANGE), minLength: 1, maxLength: 4 })
  .filter((name) => name !== '.' && name !== '..')
const plainName = fc.constantFrom('a', 'b', 'ab', '.a', 'a.b', 'inputs', '.env')
const name = fc.oneof({ weight: 3, arbitrary: plainName }, { weight: 1, arbitrary: strangeName })
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'))

const piece = fc.oneof(
  name.map(escapeGlob),
  fc.constantFrom('*', '?', '[ab]', '[!a]', '[^b-]', '[a-c]', '[-.]', '{a,b}', '{a,.env}', '{,a}', '.', '-'),
)
const segment = fc.oneof(
  { weight: 1, arbitrary: fc.constant('**') },
  { weight: 4, arbitrary: fc.array(piece, { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join('')) },
)
const glob = fc
  .array(segment, { minLength: 1, maxLength: 4 })
  .map((segments) => segments.join('/'))
  .filter((text) => validateRules([ruleFor(text)]).length === 0)

function ruleFor(text: string) {
  return { effect: 'deny' as const, permission: 'filesystemRead', paths: [text] }
}

function denialsBy(text: string): (request: { path: string; ignoreCase?: boolean }) => boolean {
  const { check } = buildEffectivePolicy({ config: { rules: [ruleFor(text)] } })
  return (request) =>
    check({ permission: 'filesystemRead', tool: 'read_file', ...request }).decision === 'deny'
}

describe('globs in rules', () => {
  it('match what the plain reading of the glob says, whatever characters stand in names', () => {
    fc.assert(
      fc.property(glob, path, (text, at) => {
        // Accents are compared as one spelling; the reference knows nothing of that.
        fc.pre(at === at.normalize('NFC') && text === text.normalize('NFC'))
        expect(denialsBy(text)({ path: at })).toBe(referenceMatches(text, at))
      }),
      { numRuns: RUNS },
    )
  })

  it('match what they were made from, and everything below it, when the name is escaped', () => {
    fc.assert(
      fc.property(path, name, (at, below) => {
        const isDenied = denialsBy(escapeGlob(at))
        expect(isDenied({ path: at })).toBe(true)
        expect(isDenied({ path: `${at}/${below}` })).toBe(true)
        expect(isDenied({ path: `${at}x` })).toBe(false)
      }),
      { numRuns: 2_000 },
    )
  })

  it('deny no less where the disk ignores case', () => {
    fc.assert(
      fc.property(glob, path, (text, at) => {
        const isDenied = denialsBy(text)
        if (!isDenied({ path: at })) return
        expect(isDenied({ path: at, ignoreCase: true })).toBe(true)
        if (!text.includes('[')) expect(isDenied({ path: at.toUpperCase(), ignoreCase: true })).toBe(true)
      }),
      { numRuns: RUNS },
    )
  })
})
