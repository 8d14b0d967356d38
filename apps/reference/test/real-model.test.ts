import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { folder, kgent } from './fixture.ts'
import { startOpenAiServer, type Turn } from './openai-server.ts'

let close = () => {}
afterEach(() => close())

async function runWith(turns: Turn[]) {
  const server = await startOpenAiServer(turns)
  close = server.close
  const environment = {
    KGENT_BASE_URL: server.url,
    KGENT_MODEL: 'test-model',
    KGENT_API_KEY: 'key-that-must-not-leak',
  }
  const input = folder({ 'a.log': 'ERROR one\n', 'b.log': 'ERROR two\n' })
  const ended = await kgent(['run', '--json', '--runs', folder(), '--input', input], environment)
  return { ...ended, requests: server.requests }
}

describe('a real model behind an OpenAI-compatible endpoint', () => {
  it('works through streaming, parallel tool calls and refusals to a report', async () => {
    const { code, json, requests } = await runWith([
      { calls: [{ name: 'list_files', input: { path: 'inputs' } }] },
      {
        calls: [
          { name: 'read_file', input: { path: 'inputs/a.log' } },
          { name: 'read_file', input: { path: 'inputs/b.log' } },
          { name: 'write_file', input: { path: 'inputs/x.txt', content: 'no' } },
        ],
      },
      {
        calls: [{ name: 'write_file', input: { path: 'deliverables/report.md', content: '# Two errors\n' } }],
      },
      { text: 'Two errors were found and reported.' },
    ])
    const summary = json()
    expect(code).toBe(0)
    expect(summary).toMatchObject({
      status: 'completed',
      calls: 5,
      byStatus: { ok: 4, denied: 1 },
      text: 'Two errors were found and reported.',
    })
    expect(readFileSync(summary.report, 'utf8')).toBe('# Two errors\n')
    expect(requests).toHaveLength(4)
    expect(requests[0]?.body).toMatchObject({ model: 'test-model', stream: true })
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

  it('the key is sent to the endpoint and stands in no file of the run', async () => {
    const { json, requests } = await runWith([
      { calls: [{ name: 'write_memory', input: { content: 'the key is key-that-must-not-leak' } }] },
      { text: 'done' },
    ])
    expect(requests[0]?.authorization).toBe('Bearer key-that-must-not-leak')
    for (const file of ['events.jsonl', 'logs/tools.jsonl', 'run.json']) {
      expect(readFileSync(join(json().dir, file), 'utf8')).not.toContain('must-not-leak')
    }
  })

  it('an endpoint that fails ends the run as failed, with one line', async () => {
    const { code, error, json } = await runWith([{ calls: [{ name: 'list_files', input: {} }] }])
    expect(code).toBe(1)
    expect(error).toMatch(/^kgent: the model's loop ended early: .+\n$/)
    expect(json()).toMatchObject({ status: 'failed', calls: 1 })
  })
})
