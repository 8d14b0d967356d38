import type { ApprovalRequest, RunEvent } from '@kgent/contracts'
import { describe, expect, it } from 'vitest'
import { terminalApprover } from '../src/approver.ts'
import { createScreen } from '../src/screen.ts'
import { createTimeline } from '../src/timeline.ts'
import { folder, kgent } from './fixture.ts'

function record(options: { columns?: number } = {}) {
  let text = ''
  const write = (more: string) => {
    text += more
  }
  return { screen: createScreen({ write, ...options }), text: () => text }
}

const event = (type: RunEvent['type'], data: RunEvent['data'], at = 0): RunEvent => ({
  v: 1,
  seq: 1,
  at: new Date(at).toISOString(),
  runId: 'r',
  type,
  callId: 'c',
  data,
  prev: null,
})

describe('the screen', () => {
  it('begins a line below running text, and replaces the passing line only on a terminal', () => {
    const terminal = record({ columns: 20 })
    terminal.screen.words('I look')
    terminal.screen.line('a line')
    terminal.screen.passing('a passing line that is too long')
    terminal.screen.line('the end')
    expect(terminal.text()).toBe('I look\na line\na passing line that\r\u001b[2Kthe end\n')
    const pipe = record()
    pipe.screen.passing('nothing')
    expect(pipe.text()).toBe('')
  })

  it('lets no text of others move the cursor', () => {
    const { screen, text } = record()
    screen.words('\u001b[2Jhello\u0007\rthere')
    expect(text()).toBe('[2Jhellothere')
  })
})

describe('the timeline', () => {
  const noteOf = () => ''

  it('tells the progress of a call only when it takes long, and then not too often', () => {
    const { screen, text } = record()
    const show = createTimeline({ screen, colours: false, noteOf })
    show(event('tool.call.start', { tool: 'grep_files' }, 0))
    for (const at of [500, 1_900, 2_100, 2_500, 4_200])
      show(event('tool.call.progress', { tool: 'grep_files', message: `${at} files searched` }, at))
    expect(text()).toBe('  … grep_files: 2100 files searched\n  … grep_files: 4200 files searched\n')
  })

  it('says partly where a call was allowed and entries were left out', () => {
    const { screen, text } = record()
    const show = createTimeline({ screen, colours: false, noteOf })
    const end = {
      tool: 'list_files',
      status: 'ok',
      decision: 'deny',
      durationMs: 1_234,
      summary: 'inputs: 2 entries',
    }
    show(event('tool.call.end', end))
    expect(text()).toBe('  ✓ list_files   partly  1.2 s  inputs: 2 entries\n')
  })
})

describe('approvals at the terminal', () => {
  const request = (tool: string): ApprovalRequest => ({
    callId: 'c',
    toolCallId: null,
    tool,
    input: '{"path":"deliverables/a.md"}',
    inputSha256: 'x',
    decisions: [
      {
        permission: 'filesystemWrite',
        resource: 'deliverables/a.md',
        decision: 'ask',
        layer: 'config',
        rule: 'ask-first',
        reason: 'a person looks first',
        requestedBy: [],
      },
    ],
  })

  it('yes counts for one call, always for this tool and rule, everything else is no; one question at a time', async () => {
    const { screen, text } = record()
    const said = ['y', 'perhaps', 'a', '']
    let open = 0
    const ask = async () => {
      open += 1
      expect(open).toBe(1)
      await Promise.resolve()
      open -= 1
      return said.shift() ?? 'n'
    }
    const terminal = {
      out: () => {},
      error: () => {},
      colours: false,
      environment: {},
      cwd: '/',
      interrupted: new AbortController().signal,
      ask,
    }
    const approve = terminalApprover(terminal, screen)
    const { signal } = new AbortController()
    const answers = await Promise.all(
      ['write_file', 'write_file', 'write_file', 'write_file', 'edit_file'].map((tool) =>
        approve?.(request(tool), { signal }),
      ),
    )
    expect(answers.map((answer) => answer?.approved)).toEqual([true, false, true, true, false])
    expect(text()).toContain(
      '  ? write_file {"path":"deliverables/a.md"}\n    a person looks first (rule ask-first)\n',
    )
  })

  const asking = () =>
    folder({
      'kgent.config.json':
        '{ "permissions": { "rules": [{ "id": "ask-first", "effect": "ask", "permission": "filesystemWrite", "paths": ["deliverables/**"] }] } }',
    })

  it('a run asks the person; where nobody can answer, the answer is no and the report goes elsewhere', async () => {
    const args = ['run', '--runs', folder(), '--input', folder()]
    const asked: string[] = []
    const yes = await kgent(args, {
      cwd: asking(),
      columns: 100,
      ask: async (question) => {
        asked.push(question)
        return 'y'
      },
    })
    expect([yes.code, asked.length]).toEqual([0, 1])
    const nobody = await kgent([...args, '--json'], { cwd: asking() })
    expect([nobody.code, nobody.json().status]).toEqual([1, 'failed'])
    expect(nobody.json().text).toContain('workspace/report.md')
  })
})
