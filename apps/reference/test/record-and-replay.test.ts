import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folder, kgent } from './fixture.ts'

describe('--record and --model replay:FILE', () => {
  it('a recorded conversation is played again, with the tools really run', async () => {
    const cwd = folder({ 'in/a.log': 'ERROR one\n' })
    const first = await kgent(['run', '--json', '--input', 'in', '--record', 'kept/talk.jsonl'], { cwd })
    expect(first.code).toBe(0)
    const again = await kgent(['run', '--json', '--input', 'in', '--model', 'replay:kept/talk.jsonl'], {
      cwd,
    })
    expect([again.code, again.error]).toEqual([0, ''])
    expect(again.json()).toMatchObject({
      status: 'completed',
      calls: first.json().calls,
      steps: first.json().steps,
    })
    expect(readFileSync(again.json().report, 'utf8')).toBe(readFileSync(first.json().report, 'utf8'))
  })

  it('what was not asked before is a clear error, and the run is closed as failed', async () => {
    const cwd = folder({ 'in/a.log': 'ERROR one\n', 'other/b.log': 'ERROR two\nERROR three\n' })
    await kgent(['run', '--json', '--input', 'in', '--record', 'talk.jsonl'], { cwd })
    const other = await kgent(['run', '--json', '--input', 'other', '--model', 'replay:talk.jsonl'], { cwd })
    expect(other.code).toBe(1)
    expect(other.error).toMatch(/talk\.jsonl holds no answer to question 2 of this run/)
    expect(other.json().status).toBe('failed')
  })

  it('a file that is none is refused with its line', async () => {
    const cwd = folder()
    writeFileSync(join(cwd, 'talk.jsonl'), '\n')
    appendFileSync(join(cwd, 'talk.jsonl'), '{"v":2}\n')
    const bad = await kgent(['run', '--model', 'replay:talk.jsonl'], { cwd })
    expect([bad.code, bad.error]).toEqual([2, expect.stringContaining('line 2 is no recorded answer')])
    const missing = await kgent(['run', '--model', 'replay:none'], { cwd })
    expect([missing.code, missing.error]).toEqual([2, expect.stringContaining('there is no such file')])
  })
})

describe('--events', () => {
  it('prints every event as it happens, one a line, and the summary last', async () => {
    const cwd = folder({ 'in/a.log': 'ERROR one\n' })
    const ended = await kgent(['run', '--events', '--input', 'in'], { cwd })
    const lines = ended.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines[0].type).toBe('run.start')
    expect(lines.at(-1)).toMatchObject({ type: 'run.summary', status: 'completed', failure: null })
    const kept = readFileSync(join(lines.at(-1).dir, 'events.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
    expect(lines.length - 1).toBe(kept.length)
    const both = await kgent(['run', '--events', '--json'], { cwd })
    expect(both.code).toBe(2)
  })
})
