import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DoneCall } from '../src/scripted/conversation.ts'
import { doneCalls } from '../src/scripted/conversation.ts'
import { codeBlock, codeSpan } from '../src/scripted/markdown.ts'
import { maskSecrets } from '../src/scripted/mask-secrets.ts'
import { shapeOf } from '../src/scripted/merge-repeats.ts'
import { nextStep } from '../src/scripted/next-step.ts'
import { PLAIN_FORM, readForm } from '../src/scripted/report-form.ts'
import { isLogFile, SEARCHES } from '../src/scripted/searches.ts'

const codes = fc.constantFrom('permission_denied', 'not_found', 'io_error', 'unknown_tool', 'memory_scope')
const answer = fc.oneof(
  fc.record({ failure: codes, summary: fc.string(), data: fc.constant(null) }),
  fc.record({
    failure: fc.constant(null),
    summary: fc.string(),
    data: fc.dictionary(fc.string(), fc.jsonValue()),
  }),
)

describe('nextStep', () => {
  it('comes to an end whatever the tools answer, and says the same to the same conversation', () => {
    fc.assert(
      fc.property(fc.infiniteStream(answer), (answers) => {
        const calls: DoneCall[] = []
        for (let step = 0; step < 40; step += 1) {
          const next = nextStep(calls)
          expect(nextStep(calls)).toEqual(next)
          if (next.calls.length === 0) return
          for (const made of next.calls)
            calls.push({ ...made, ...(answers.next().value as Omit<DoneCall, 'tool' | 'input'>) })
        }
        expect.unreachable('no end')
      }),
      { numRuns: 60 },
    )
  })

  it('takes the first scope that is allowed when memory asks for one', () => {
    const calls: DoneCall[] = []
    for (let step = nextStep(calls); step.calls.length > 0; step = nextStep(calls)) {
      for (const made of step.calls) {
        const isFirst = !calls.some(({ tool }) => tool === 'write_memory')
        const refused = made.tool === 'write_memory' && isFirst
        calls.push({
          ...made,
          summary: '',
          failure: refused ? 'memory_scope' : null,
          data: refused ? { scopes: ['team', 'me'] } : {},
        })
      }
    }
    expect(calls.filter(({ tool }) => tool === 'write_memory').map(({ input }) => input.scope)).toEqual([
      undefined,
      'team',
    ])
  })
})

describe('the conversation', () => {
  it('is read from the results that any model gets', () => {
    const prompt = [
      { role: 'system', content: 'x' },
      {
        role: 'assistant',
        content: [
          { type: 'tool-call', toolCallId: 'a', toolName: 'read_file', input: { path: 'p' } },
          { type: 'tool-call', toolCallId: 'b', toolName: 'write_memory', input: {} },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'a',
            toolName: 'read_file',
            output: { type: 'text', value: 'Read p\n{"a":1}' },
          },
          {
            type: 'tool-result',
            toolCallId: 'b',
            toolName: 'write_memory',
            output: {
              type: 'error-text',
              value: 'Failed (memory_scope): Which?\nHint: x\nDetails: {"scopes":["s"]}',
            },
          },
        ],
      },
    ]
    expect(doneCalls(prompt)).toEqual([
      { tool: 'read_file', input: { path: 'p' }, summary: 'Read p', failure: null, data: { a: 1 } },
      {
        tool: 'write_memory',
        input: {},
        summary: 'Which?',
        failure: 'memory_scope',
        data: { scopes: ['s'] },
      },
    ])
  })
})

describe('the form', () => {
  it('is read from the skill: title, sections with their content, bounds', () => {
    const form = readForm(
      '# A\n\n- **Title:** `What {folder} needs`\n\n1. **Now** (errors): first\n2) Open work – later\n3. Something else\n\nat most 3 findings, at most 9 lines',
      'mine',
    )
    expect(form).toEqual({
      title: 'What {folder} needs',
      sections: [
        { id: 'errors', heading: 'Now' },
        { id: 'open-work', heading: 'Open work' },
      ],
      maxFindings: 3,
      contextLines: 9,
      source: 'the skill mine',
    })
  })

  it('stays plain where the skill says nothing', () => {
    expect(readForm('Write well.', 'x')).toMatchObject({
      title: PLAIN_FORM.title,
      sections: PLAIN_FORM.sections,
    })
  })
})

describe('searches', () => {
  const find = (text: string, area: 'logs' | 'files') =>
    SEARCHES.filter((search) => search.area === area && new RegExp(inJavaScript(search.pattern)).test(text))
      .filter(({ means }) => means?.(text) ?? true)
      .map(({ kind, kindOf }) => kindOf?.(text) ?? kind)

  /** RE2 allows flags on groups; of these patterns only `(?i:` uses them. */
  const inJavaScript = (pattern: string) => pattern.replaceAll('(?i:', '(?:')

  it.each([
    ['2026-01-01 FATAL gone', ['fatal error']],
    ['{"level":"error","msg":"x"}', ['error']],
    ['{"level":50,"msg":"x"}', ['error']],
    ['time=1 level=warn msg=x', ['warning']],
    ['java.io.IOException: closed', ['exception']],
    ['Error: closed', ['exception']],
    ['INFO no errors, 0 failed', []],
  ])('in a log, %s', (line, kinds) => {
    expect(find(line, 'logs')).toEqual(kinds)
  })

  it.each([
    ['  // FIXME: rounding', ['FIXME']],
    ['# HACK around it', ['HACK']],
    ['-- TODO an index', ['TODO']],
    ['<!-- TODO(ada): picture -->', ['TODO']],
    ['TODO: write this', ['TODO']],
    ['see the TODO list and fix bugs', []],
    ["const pattern = '// TODO'", []],
    ['const methodology = 1', []],
    ['} catch (error) {}', ['swallowed error']],
    ['} catch (error) { log(error) }', []],
    ['key = "-----BEGIN RSA PRIVATE KEY-----"', ['possible private key']],
    ["password: 'correct-horse'", ['possible secret in “password”']],
    ['password: process.env.PASSWORD', []],
    ['postgres://me:s3cr3t-1@db/x', ['possible password in an address']],
    ['postgres://user:password@host/x', []],
    ["password: 'changeme'", []],
    ['AWS_SECRET=abcd1234efgh', ['possible secret in “AWS_SECRET”']],
    ['cache_token = get_cache_token', []],
    ['ERRORTOKEN = tokenize.ERRORTOKEN', []],
    ['<<<<<<< HEAD', ['merge conflict']],
  ])('in a file, %s', (line, kinds) => {
    expect(find(line, 'files')).toEqual(kinds)
  })

  it.each([
    ['inputs/a.log', true],
    ['inputs/a.log.1', true],
    ['inputs/x/app.jsonl', true],
    ['inputs/syslog', true],
    ['inputs/login.ts', false],
    ['inputs/blog/post.md', false],
  ])('%s is a log: %s', (path, isLog) => {
    expect(isLogFile(path)).toBe(isLog)
  })
})

describe('text of others', () => {
  it('in a code span stays on one line and never ends it', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('`', 'a', ' ', '\n', '\u001b', '|') }), (text) => {
        const span = codeSpan(text)
        expect(span).not.toMatch(/[\n\u001b]/)
        const fence = /^`+/.exec(span)?.[0] ?? ''
        if (fence !== '')
          expect(span.slice(fence.length, -fence.length)).not.toMatch(
            new RegExp(`(^|[^\`])${fence}([^\`]|$)`),
          )
      }),
      { numRuns: 300 },
    )
  })

  it('in a block never ends it', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: fc.constantFrom('`', 'a', ' ') })), (lines) => {
        const [fence = '', ...rest] = codeBlock(lines).split('\n')
        expect(rest.slice(0, -1).some((line) => line.includes(fence))).toBe(false)
      }),
      { numRuns: 300 },
    )
  })

  it.each([
    ['password=hunter2hunter2', 'password=[masked]'],
    ['"api_key": "abcd1234"', '"api_key": [masked]'],
    ['Authorization: Bearer abcdefgh12345678', 'Authorization: Bearer [masked]'],
    ['https://me:pw@host/', 'https://[masked]@host/'],
    ['nothing here', 'nothing here'],
  ])('%s is shown as %s', (text, shown) => {
    expect(maskSecrets(text)).toBe(shown)
  })

  it('log lines that differ in times, ids and numbers have one shape', () => {
    const one =
      '2026-11-30T08:12:04.123Z ERROR order 4012 of 0f8fad5b-d9cb-469f-a165-70867728950e failed after 912 ms'
    const other =
      '2026-12-01 09:00:00,5 ERROR order 7 of 7c9e6679-7425-40de-944b-e07fc1f90ae7 failed after 3 ms'
    expect(shapeOf(one)).toBe(shapeOf(other))
    expect(shapeOf('ERROR disk full')).not.toBe(shapeOf('ERROR mail away'))
  })
})
