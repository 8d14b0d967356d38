import { validateSkill } from '@kgent/skills'
import { describe, expect, it } from 'vitest'
import { skillText } from './fixture.ts'

const check = (frontMatter: string, options: { folder?: string; strict?: boolean } = {}) =>
  validateSkill(`---\n${frontMatter}\n---\nBODY\n`, { folder: 'pdf', ...options })
const said = (frontMatter: string, options = {}) =>
  check(frontMatter, options).findings.map(({ severity, line, message }) => `${severity} ${line}: ${message}`)

describe('a sound skill', () => {
  it('has no findings in either mode', () => {
    const text = [
      '---',
      'name: pdf',
      'description: >-',
      '  Reads and fills PDF forms.',
      '  Use when the user names a PDF.',
      'license: Apache-2.0',
      'compatibility: Needs poppler',
      'metadata:',
      '  version: 1.0',
      '  kgent-permissions: filesystemRead crm.write',
      'allowed-tools: Read Bash(git add:*) WebFetch',
      '---',
      '',
      '# PDF',
      '---',
      'a rule above is text',
    ].join('\n')
    for (const strict of [false, true]) {
      expect(validateSkill(text, { folder: 'pdf', strict })).toEqual({
        findings: [],
        skill: {
          id: 'pdf',
          name: 'pdf',
          description: 'Reads and fills PDF forms. Use when the user names a PDF.',
          body: '# PDF\n---\na rule above is text',
          requests: ['crm.write', 'filesystemRead', 'network', 'shell'],
        },
      })
    }
  })
})

describe('front matter that YAML refuses', () => {
  const mended: [string, string, string][] = [
    ['a colon', 'description: Use this when: the user asks', 'Use this when: the user asks'],
    [
      'a colon over two lines',
      'description: Use this when: the user\n  asks: for it',
      'Use this when: the user asks: for it',
    ],
    ['an at sign', 'description: @mentions are answered', '@mentions are answered'],
    ['a star', 'description: *.md files are read', '*.md files are read'],
    ['an exclamation mark', 'description: !important things', '!important things'],
    ['a bracket', 'description: [Beta] Reads files', '[Beta] Reads files'],
    ['a backtick', 'description: `code` is run', '`code` is run'],
    ['a percent sign', 'description: %d files', '%d files'],
    ['a quote inside', 'description: Says "hi": always', 'Says "hi": always'],
  ]
  for (const [name, line, description] of mended) {
    it(`an unquoted text with ${name} is read as text, with a remark; in strict mode it is an error`, () => {
      const { skill, findings } = check(`name: pdf\n${line}`)
      expect(skill?.description).toBe(description)
      expect(findings).toEqual([
        {
          severity: 'remark',
          line: 3,
          message: expect.stringMatching(
            /^Put the text of description in quotes; it was read as text\. \(YAML: /,
          ),
        },
      ])
      expect(check(`name: pdf\n${line}`, { strict: true })).toMatchObject({ skill: null })
    })
  }

  const refused: [string, string, number, RegExp][] = [
    ['tabs', 'name: pdf\nmetadata:\n\ta: b\ndescription: d', 4, /Tabs/],
    ['a repeated key', 'name: pdf\ndescription: d\nname: xyz', 4, /unique/],
    ['a list', '- name', 2, /keys and values/],
    ['plain text', 'hello', 2, /keys and values/],
    ['an open quote', 'name: pdf\ndescription: "open', 3, /quote|Missing/],
    ['two documents', 'name: pdf\n...\ndescription: d', 3, /./],
    ['a key that is a list', '? [a]\n: b', 2, /keys must be strings/],
  ]
  for (const [name, matter, line, message] of refused) {
    it(`${name} is an error with its line`, () => {
      const { skill, findings } = check(matter)
      expect(skill).toBeNull()
      expect(findings).toHaveLength(1)
      expect(findings[0]?.message).toMatch(message)
      expect(Math.abs((findings[0]?.line ?? 0) - line)).toBeLessThanOrEqual(1)
    })
  }
})

describe('front matter as data', () => {
  it('numbers and dates stay the text that was written', () => {
    expect(check('name: 123\ndescription: 1.0', { folder: '123' }).skill).toMatchObject({
      id: '123',
      description: '1.0',
    })
  })

  for (const tag of [
    "!!js/function 'function(){ globalThis.KGENT_PROBE = 1 }'",
    '!!js/regexp /a/',
    '!!python/object/apply:os.system [id]',
    '!!binary aGk=',
    '!!int 5',
  ]) {
    it(`the tag in “${tag.slice(0, 20)}” is refused and runs nothing`, () => {
      expect(check(`name: pdf\ndescription: ${tag}`).findings).toMatchObject([
        { severity: 'error', message: expect.stringContaining('asks for more than text') },
      ])
      expect(globalThis).not.toHaveProperty('KGENT_PROBE')
    })
  }

  it('an engine after the fence is refused and never run', () => {
    const { skill, findings } = validateSkill('---js\nglobalThis.KGENT_PROBE = 1\n---\nbody', {
      folder: 'code',
    })
    expect([skill, findings[0]?.message]).toEqual([null, expect.stringContaining('nothing is ever run')])
    expect(globalThis).not.toHaveProperty('KGENT_PROBE')
  })

  it('keys of the prototype are keys like any other', () => {
    const { skill } = check(
      'name: pdf\ndescription: d\n__proto__: {polluted: true}\nconstructor: x\nmetadata: {__proto__: x, toString: y}',
    )
    expect(skill?.id).toBe('pdf')
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  it('aliases that multiply are refused', () => {
    const lines = ['a: &a [x,x,x,x,x,x,x,x,x]']
    for (const [index, letter] of [...'bcdefgh'].entries()) {
      const before = 'abcdefg'[index]
      lines.push(`${letter}: &${letter} [${Array(9).fill(`*${before}`).join(',')}]`)
    }
    expect(check(`name: pdf\ndescription: d\n${lines.join('\n')}`).findings).toMatchObject([
      { severity: 'error', message: expect.stringContaining('aliases') },
    ])
  })

  for (const [name, deep] of Object.entries({
    brackets: `a: ${'['.repeat(8_000)}`,
    braces: `a: ${'{a: '.repeat(4_000)}`,
    dashes: '- '.repeat(8_000),
    'question marks': '? '.repeat(8_000),
    'keys in keys': Array.from({ length: 150 }, (_, index) => `${' '.repeat(index)}a:`).join('\n'),
  })) {
    it(`${name} nested without end are refused and do not exhaust the stack`, () => {
      expect(check(`name: pdf\ndescription: d\n${deep}`).skill).toBeNull()
    })
  }

  it('front matter without end is not parsed', () => {
    const message = check(`name: pdf\ndescription: ${'x'.repeat(20_000)}`).findings[0]?.message
    expect(message).toBe('The front matter is longer than 16384 characters.')
  })
})

describe('fields', () => {
  it('what the specification demands is an error in both modes when nobody could use the skill', () => {
    expect(said('name: pdf')).toEqual([
      'error null: The description is missing; without it nobody can tell when to use the skill.',
    ])
    expect(said('name: pdf\ndescription: " "')).toEqual(['error 3: The description is empty.'])
    expect(said('name: pdf\ndescription: [a, b]')).toEqual([
      'error 3: The description is a list; it must be text.',
    ])
    expect(said('name: pdf\ndescription: {a: b}')).toEqual([
      'error 3: The description is a map; it must be text.',
    ])
  })

  const long = 'é'.repeat(1_025)
  const differs: [string, string, string, string][] = [
    [
      'another folder',
      'name: other\ndescription: d',
      'pdf',
      'differs from the folder "pdf"; the skill is known as other',
    ],
    ['capitals', 'name: Pdf_X\ndescription: d', 'Pdf_X', 'should be lower-case letters and digits'],
    ['two hyphens', 'name: a--b\ndescription: d', 'a--b', 'single hyphens'],
    ['a hyphen at the end', 'name: a_\ndescription: d', 'a_', 'lower-case'],
    ['no name', 'description: d', 'pdf', 'The name is missing. The skill is known by its folder as pdf.'],
    ['a name with blanks', 'name: My PDF\ndescription: d', 'pdf', 'The skill is known by its folder as pdf.'],
    [
      'a name of 65 characters',
      `name: ${'a'.repeat(65)}\ndescription: d`,
      'pdf',
      'has 65 characters; at most 64',
    ],
    ['a long description', `name: pdf\ndescription: ${long}`, 'pdf', 'longer than 1024 characters'],
    [
      'a long compatibility',
      `name: pdf\ndescription: d\ncompatibility: ${'x'.repeat(501)}`,
      'pdf',
      'longer than 500',
    ],
    ['a license that is a list', 'name: pdf\ndescription: d\nlicense: [MIT]', 'pdf', 'license is a list'],
    ['an unknown key', 'name: pdf\ndescription: d\nversion: 2', 'pdf', 'The key "version" is not part'],
    ['tools as a list', 'name: pdf\ndescription: d\nallowed-tools: [Read]', 'pdf', 'allowed-tools is a list'],
    ['metadata that is text', 'name: pdf\ndescription: d\nmetadata: x', 'pdf', 'metadata is text'],
    ['metadata in metadata', 'name: pdf\ndescription: d\nmetadata: {a: {b: c}}', 'pdf', 'these do not: "a"'],
  ]
  for (const [name, matter, folder, message] of differs) {
    it(`strict and lenient differ: ${name}`, () => {
      const lenient = check(matter, { folder })
      expect(lenient.skill).not.toBeNull()
      expect(lenient.findings).toMatchObject([
        { severity: 'remark', message: expect.stringContaining(message) },
      ])
      const strict = check(matter, { folder, strict: true })
      expect(strict.skill).toBeNull()
      expect(strict.findings).toMatchObject([
        { severity: 'error', message: expect.stringContaining(message) },
      ])
    })
  }

  it('neither name nor folder can be an id: an error', () => {
    for (const name of ['../../etc', 'a/b', '..', '.hidden', 'x '.repeat(40), 'a\\u0000b']) {
      expect(check(`name: "${name}"\ndescription: d`, { folder: 'Ordner mit Leerzeichen' }).skill).toBeNull()
    }
  })

  it('the limits count characters, not bytes or halves of characters', () => {
    expect(check(`name: pdf\ndescription: ${'😀'.repeat(1_024)}`).findings).toEqual([])
  })

  it('says when YAML takes the end of a text for a comment', () => {
    expect(said('name: pdf\ndescription: Writes C#12 and more')).toEqual([])
    expect(said('name: pdf\ndescription: Mends issue #12', { strict: true })).toEqual([
      'remark 3: In description the text after " #" is a comment and is lost; put the value in quotes to keep it.',
    ])
  })
})

describe('the whole file', () => {
  const whole: [string, string, RegExp][] = [
    ['empty', '', /empty/],
    ['blank', ' \n\n', /empty/],
    ['without front matter', '# only a heading\n', /no front matter/],
    ['with text before it', 'hello\n---\nname: a\n---\n', /no front matter/],
    ['with four hyphens', '----\nname: a\n----\n', /no front matter/],
    ['never closed', '---\nname: open\ndescription: never closed\n', /never closed/],
    ['closed by something else', '---\nname: a\ndescription: d\n ---\n', /never closed/],
  ]
  for (const [name, text, message] of whole) {
    it(`${name} is an error`, () => {
      expect(validateSkill(text, { folder: 'a' })).toMatchObject({
        skill: null,
        findings: [{ severity: 'error', message: expect.stringMatching(message) }],
      })
    })
  }

  it('may have blank lines before it and blanks after its fences', () => {
    const { skill, findings } = validateSkill('\n\n---  \nname: a\ndescription: d\n---\t\nBODY', {
      folder: 'a',
    })
    expect(skill?.body).toBe('BODY')
    expect(findings).toEqual([
      { severity: 'remark', line: 1, message: 'Blank lines stand before the front matter.' },
    ])
  })

  it('may have no body', () => {
    expect(validateSkill('---\nname: a\ndescription: d\n---', { folder: 'a' }).skill?.body).toBe('')
  })

  it('names lines of the file, also when blank lines stand before', () => {
    const { findings } = validateSkill('\n---\nname: a\ndescription: [x]\n---\n', { folder: 'a' })
    expect(findings.find(({ severity }) => severity === 'error')?.line).toBe(4)
  })

  it('keeps every character of the body', () => {
    const body = '# Title\n\n\ttab  \ntrailing\n\n\n'
    expect(validateSkill(skillText('a', body), { folder: 'a' }).skill?.body).toBe(body)
  })
})
