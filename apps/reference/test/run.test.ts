import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { verifyRun } from '@kgent/runtime'
import { describe, expect, it } from 'vitest'
import { folder, kgent } from './fixture.ts'

async function runOn(input: string | null, args: string[] = []) {
  const ended = await kgent([
    'run',
    '--json',
    '--runs',
    folder(),
    ...(input === null ? [] : ['--input', input]),
    ...args,
  ])
  const summary = ended.json()
  return { ...ended, summary, report: readFileSync(summary.report, 'utf8') }
}

describe('the main job', () => {
  it('reports findings whose file and line hold what the report says', async () => {
    const input = folder({
      'src/a.ts': 'const a = 1\n// FIXME: rounding\n',
      'logs/app.log': 'INFO fine\nERROR broken pipe\nERROR broken pipe\n',
    })
    const { report, code, summary } = await runOn(input)
    expect(code).toBe(0)
    expect(report).toContain('**inputs/src/a.ts:2** – FIXME: `// FIXME: rounding`')
    expect(report).toContain(
      '**inputs/logs/app.log:2** – error in a log: `ERROR broken pipe`, and 1 more like it in this file',
    )
    for (const [, path = '', line = ''] of report.matchAll(/\*\*inputs\/(.+?):(\d+)\*\*/g)) {
      const text = readFileSync(join(input, path), 'utf8').split('\n')[Number(line) - 1]
      expect(text).toMatch(/FIXME|ERROR/)
    }
    expect(summary).toMatchObject({
      status: 'completed',
      model: expect.stringContaining('rule-based'),
      memory: { waiting: 1 },
    })
  })

  it('another folder gives another report, an empty one an honest one', async () => {
    const todo = await runOn(folder({ 'x.py': '# TODO: cache\n' }))
    const clean = await runOn(folder({ 'x.py': 'print(1)\n' }))
    const empty = await runOn(folder())
    expect(todo.report).toContain('**inputs/x.py:1** – TODO')
    expect(clean.report).toContain('nothing of what was searched for was found')
    expect(empty.report).toContain('The folder is empty')
    expect(new Set([todo.report, clean.report, empty.report]).size).toBe(3)
  })

  it('tries one thing that the policy forbids, and says so in the report and at the end', async () => {
    const { report, summary } = await runOn(folder({ 'a.txt': 'x' }))
    expect(report).toContain('write_file on `inputs/written-by-the-agent.txt` was refused')
    expect(summary.refusals).toMatchObject([{ tool: 'write_file', layer: 'sandbox' }])
  })

  it('follows the skill: another form of the skill gives another form of the report', async () => {
    const skills = folder({
      'findings-report/SKILL.md':
        '---\nname: findings-report\ndescription: short form\n---\n- Title: Things to mend in {folder}\n- At most 1 findings a section\n\n1. Unfinished work\n2. Summary\n',
    })
    const { report } = await runOn(folder({ 'a.ts': '// TODO: one\n// TODO: two is longer\n' }), [
      '--skills',
      skills,
    ])
    expect(report).toMatch(/^# Things to mend in `inputs`\n\n## Unfinished work\n/)
    expect(report).toContain('… and 1 more')
    expect(report.indexOf('## Summary')).toBeGreaterThan(report.indexOf('## Unfinished work'))
  })

  it('never repeats the text of a possible secret', async () => {
    const { report, summary } = await runOn(folder({ 'c.env': 'API_KEY=abcdef1234567890\n' }))
    expect(report).toContain('**inputs/c.env:1** – possible secret (its text is not repeated here)')
    expect(report).not.toContain('abcdef1234567890')
    expect(readFileSync(join(summary.dir, 'events.jsonl'), 'utf8')).not.toContain('abcdef1234567890')
  })

  it('the sample that is shipped shows every kind of finding', async () => {
    const { report } = await runOn(null)
    for (const section of [
      'Summary',
      'Errors',
      'Conflicts',
      'Possible secrets',
      'Unfinished work',
      'Not looked at',
    ]) {
      expect(report).toContain(`## ${section}`)
    }
  })

  it('shows a live timeline, the paths, the refusals and what waits', async () => {
    const { out, code } = await kgent([
      'run',
      '--runs',
      folder(),
      '--input',
      folder({ 'a.ts': '// TODO: x\n' }),
    ])
    expect(code).toBe(0)
    expect(out).toContain('planned by scripted: a rule-based planner, no network')
    expect(out).toMatch(/✓ {2}list_files +allow +[\d.]+ ms {2}inputs: 1 entry/)
    expect(out).toMatch(/✗ {2}write_file +deny/)
    expect(out).toMatch(/refused {2}write_file on inputs\/written-by-the-agent\.txt/)
    expect(out).toMatch(/report {3}.+report\.md/)
    expect(out).toContain('1 candidate(s) wait')
    expect(out).not.toContain('\u001b[')
  })

  it('leaves a log that verifies, and an existing run is continued', async () => {
    const runs = folder()
    const input = folder({ 'a.ts': '// TODO: x\n' })
    await kgent(['run', '--quiet', '--runs', runs, '--run', 'r1', '--input', input])
    await kgent(['run', '--quiet', '--runs', runs, '--run', 'r1', '--input', input])
    expect((await verifyRun(join(runs, 'r1'))).ok).toBe(true)
    const { code, out } = await kgent(['verify', 'r1', '--runs', runs])
    expect([code, out]).toEqual([0, expect.stringContaining('The log is whole')])
  })
})
