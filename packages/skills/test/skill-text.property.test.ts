import { type SkillValidation, validateSkill } from '@kgent/skills'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { registryOf } from './fixture.ts'

const pieces = [
  ...[
    '---',
    '---js',
    '\n',
    '\n\n',
    ' ',
    '  ',
    '\t',
    ': ',
    ':',
    '- ',
    '? ',
    '#',
    ' #',
    '[',
    ']',
    '{',
    '}',
    ',',
    '|',
    '>',
    '>-',
  ],
  ...[
    '&a ',
    '*a',
    '!!js/function ',
    '!x ',
    '%',
    '@',
    '`',
    '"',
    "'",
    '\\',
    '\\u0000',
    '...',
    '<<: *a',
    '\u0000',
    '\ufeff',
    '\r',
  ],
  ...[
    'name',
    'description',
    'metadata',
    'allowed-tools',
    'license',
    '__proto__',
    'a',
    'é',
    '😀',
    '\ud800',
    'Bash(git:*)',
    '0x1F',
    '~',
  ],
]
const soup = fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((parts) => parts.join(''))
const matter = soup.map((text) => `---\nname: a\ndescription: d\n${text}\n---\nBODY`)
const skill = fc.oneof(soup, matter, fc.string({ unit: 'binary', maxLength: 200 }))

function expectWhole({ skill: parsed, findings }: SkillValidation, text: string): void {
  const errors = findings.filter(({ severity }) => severity === 'error')
  expect(parsed === null).toBe(errors.length > 0)
  const lines = text.split('\n').length
  for (const { line, message } of findings) {
    expect(line === null || (line >= 1 && line <= lines + 1)).toBe(true)
    expect(message.length).toBeLessThan(700)
    expect(message).not.toMatch(/\n|\u001b/)
  }
  if (parsed) expect(parsed.id).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/)
}

it('any text is usable or explained, in both modes, and nothing is thrown', () => {
  fc.assert(
    fc.property(
      skill,
      fc.boolean(),
      fc.constantFrom('a', 'A_b', 'with blank', '..'),
      (text, strict, folder) => {
        expectWhole(validateSkill(text, { folder, strict }), text)
      },
    ),
    { numRuns: 1_500 },
  )
})

it('what strict accepts, lenient accepts alike', () => {
  fc.assert(
    fc.property(matter, (text) => {
      const strict = validateSkill(text, { folder: 'a', strict: true })
      if (strict.skill) expect(validateSkill(text, { folder: 'a' }).skill).toEqual(strict.skill)
    }),
    { numRuns: 500 },
  )
})

it('any description that JSON can quote comes back as it was, without blanks around it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }), (description) => {
      fc.pre(description.trim() !== '' && description.isWellFormed())
      const text = `---\nname: a\ndescription: ${JSON.stringify(description)}\n---\n`
      expect(validateSkill(text, { folder: 'a' }).skill?.description).toBe(description.trim())
    }),
  )
})

it('every folder with a SKILL.md is in the list or among the problems, whatever its bytes', async () => {
  const bytes = fc.uint8Array({ maxLength: 80 }).map((array) => Buffer.from(array))
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(
          bytes,
          skill.map((text) => Buffer.from(text)),
        ),
        { maxLength: 6 },
      ),
      async (files) => {
        const { registry } = await registryOf(
          Object.fromEntries(files.map((content, index) => [`skills/f${index}/SKILL.md`, content])),
        )
        const { skills, problems } = await registry.list()
        expect(skills.length + problems.length).toBe(files.length)
      },
    ),
    { numRuns: 60 },
  )
})
