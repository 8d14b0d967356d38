import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { folder, kgent } from './fixture.ts'
import { startOpenAiServer, type Turn } from './openai-server.ts'

let close = () => {}
afterEach(() => close())

async function endpoint(turns: readonly Turn[]) {
  const server = await startOpenAiServer(turns)
  close = server.close
  const environment = {
    KGENT_BASE_URL: server.url,
    KGENT_MODEL: 'test-model',
    KGENT_API_KEY: 'key-that-must-not-leak',
  }
  return { ...server, environment }
}

async function runWith(turns: readonly Turn[], args: readonly string[] = ['--json']) {
  const { environment, requests } = await endpoint(turns)
  const input = folder({ 'a.log': 'ERROR one\n', 'b.log': 'ERROR two\n' })
  const ended = await kgent(['run', '--runs', folder(), '--input', input, ...args], { environment })
  return { ...ended, requests }
}

const report: Turn = {
  calls: [{ name: 'write_file', input: { path: 'deliverables/report.md', content: '# Two errors\n' } }],
}

describe('a real model behind an OpenAI-compatible endpoint', () => {
  it('works through streaming, parallel tool calls and refusals to a report', async () => {
    const { code, json, requests } = await runWith([
      { text: 'I list first.', calls: [{ name: 'list_files', input: { path: 'inputs' } }] },
      {
        calls: [
          { name: 'read_file', input: { path: 'inputs/a.log' } },
          { name: 'read_file', input: { path: 'inputs/b.log' } },
          { name: 'write_file', input: { path: 'inputs/x.txt', content: 'no' } },
        ],
      },
      report,
      { text: 'Two errors were found and reported.' },
    ])
    const summary = json()
    expect(code).toBe(0)
    expect(summary).toMatchObject({
      status: 'completed',
      calls: 5,
      byStatus: { ok: 4, denied: 1 },
      text: 'Two errors were found and reported.',
      steps: 4,
    })
    expect(readFileSync(summary.report, 'utf8')).toBe('# Two errors\n')
    expect(requests[0]?.body).toMatchObject({ model: 'test-model', stream: true })
    expect(requests[0]?.body.messages[0]).toMatchObject({ role: 'system' })
    expect(requests[0]?.body.tools?.map((tool) => tool.function.name)).toContain('grep_files')
    const results = requests[2]?.body.messages.filter(({ role }) => role === 'tool') ?? []
    expect(results.map(({ tool_call_id: id }) => id).slice(-3)).toEqual([
      'read_file-0',
      'read_file-1',
      'write_file-2',
    ])
    expect(String(results.at(-3)?.content)).toContain('ERROR one')
    expect(String(results.at(-2)?.content)).toContain('ERROR two')
    expect(String(results.at(-1)?.content)).toContain('not allowed')
  })

  it('what the model says is streamed between the calls', async () => {
    const turns = [
      { text: 'I list \u001b[31mfirst.', calls: [{ name: 'list_files', input: {} }] },
      report,
      { text: 'Done.' },
    ]
    const { out } = await runWith(turns, [])
    expect(out).toMatch(/\nI list \[31mfirst\.\n {2}✓ list_files .+\n {2}✓ write_file .+\nDone\.\n/)
  })

  it('calls that are no JSON, or name no tool, are answered and recorded', async () => {
    const { json, requests } = await runWith([
      {
        calls: [
          { name: 'read_file', input: '{"path":' },
          { name: 'raed_file', input: { path: 'inputs/a.log' } },
        ],
      },
      report,
      { text: 'done' },
    ])
    expect(json()).toMatchObject({ calls: 3, byStatus: { invalid: 2, ok: 1 } })
    const answers = requests[1]?.body.messages
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => String(content))
    expect(answers).toEqual([expect.stringContaining('path'), expect.stringContaining('raed_file')])
  })

  it('the key is sent to the endpoint and stands in no file of the run', async () => {
    const { json, requests } = await runWith([
      { calls: [{ name: 'write_memory', input: { content: 'the key is key-that-must-not-leak' } }] },
      report,
      { text: 'done' },
    ])
    expect(requests[0]?.authorization).toBe('Bearer key-that-must-not-leak')
    for (const file of ['events.jsonl', 'logs/tools.jsonl', 'run.json'])
      expect(readFileSync(join(json().dir, file), 'utf8')).not.toContain('must-not-leak')
  })

  it('--task gives it another task, for which no report is asked', async () => {
    const { code, requests, out } = await runWith(
      [{ text: 'Four.' }],
      ['--task', 'How much is two and two?', '--quiet'],
    )
    expect([code, out]).toEqual([0, ''])
    expect(JSON.stringify(requests[0]?.body.messages[1])).toContain('How much is two and two?')
  })

  it.each<[string, Turn[], RegExp]>([
    ['an endpoint that refuses', [{ calls: [{ name: 'list_files', input: {} }] }], /the script has ended/],
    ['a model that writes no report', [{ text: 'All is well.' }], /nothing was written below deliverables/],
  ])('%s ends the run as failed, with one line', async (_what, turns, message) => {
    const { code, error, json } = await runWith(turns)
    expect([code, error]).toEqual([1, expect.stringMatching(/^kgent: The model did not finish: .+\n$/)])
    expect(error).toMatch(message)
    expect(json()).toMatchObject({ status: 'failed', report: null, failure: expect.stringMatching(message) })
  })

  it('an endpoint that is not there is said in one line', async () => {
    const { environment } = await endpoint([])
    close()
    const { code, error } = await kgent(['run', '--quiet', '--runs', folder(), '--input', folder()], {
      environment,
    })
    expect([code, error]).toEqual([
      1,
      expect.stringMatching(/^kgent: The model did not finish: .*ECONNREFUSED.*\n$/),
    ])
  })

  it('Ctrl-C while the model thinks closes the run as interrupted and exits with 130', async () => {
    const controller = new AbortController()
    const { environment, requests } = await endpoint([{ hang: () => controller.abort() }])
    const { code, json } = await kgent(['run', '--json', '--runs', folder(), '--input', folder()], {
      environment,
      interrupted: controller.signal,
    })
    expect([code, requests.length]).toEqual([130, 1])
    const summary = json()
    expect(summary.status).toBe('interrupted')
    expect(JSON.parse(readFileSync(join(summary.dir, 'run.json'), 'utf8')).status).toBe('interrupted')
  })
})
