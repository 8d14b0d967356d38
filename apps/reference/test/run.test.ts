import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { verifyRun } from '@kgent/runtime'
import { describe, expect, it } from 'vitest'
import { folder, kgent } from './fixture.ts'

const SAMPLE = join(dirname(fileURLToPath(import.meta.url)), '..', 'sample', 'inputs')

async function runOn(input: string | null, args: string[] = []) {
  const from = input === null ? [] : ['--input', input]
  const ended = await kgent(['run', '--json', '--runs', folder(), ...from, ...args])
  const summary = ended.json()
  return { ...ended, summary, report: readFileSync(summary.report, 'utf8') }
}

/** Every place that a report names, with the text that the file has there. */
function placesIn(report: string, input: string) {
  return [...report.matchAll(/`inputs\/([^`\n]+?):(\d+)`/g)].map(([, path = '', line = '']) => ({
    place: `${path}:${line}`,
    text: readFileSync(join(input, path), 'utf8').split('\n')[Number(line) - 1] ?? '',
  }))
}

describe('the main job', () => {
  it('reports findings whose file and line hold what the report says', async () => {
    const input = folder({
      'src/a.ts': 'const a = 1\n// FIXME: rounding\n',
      'logs/app.log': 'INFO fine\n10:00:01 ERROR broken pipe 1\n10:00:07 ERROR broken pipe 2\n',
    })
    const { report, code, summary } = await runOn(input)
    expect(code).toBe(0)
    expect(report).toContain('- **`inputs/src/a.ts:2`** – FIXME: `// FIXME: rounding`')
    expect(report).toContain(
      '- **`inputs/logs/app.log:2`** – error: `10:00:01 ERROR broken pipe 1`; 2 times, first at 10:00:01, last at 10:00:07 (`inputs/logs/app.log:3`)',
    )
    expect(summary).toMatchObject({ status: 'completed', memory: { waiting: 1 }, failure: null })
    expect(summary.model).toContain('rule-based')
  })

  it('on the sample, every place that the report names holds a finding', async () => {
    const { report, summary } = await runOn(null)
    const places = placesIn(report, SAMPLE)
    expect(places.length).toBeGreaterThan(20)
    for (const { place, text } of places) {
      expect(text, place).toMatch(
        /ERROR|FATAL|WARN|"level"|<<<<<<<|password|FIXME|HACK|XXX|TODO|\|\| true|catch|not implemented|skip/,
      )
    }
    for (const [, number = '', shown = ''] of report.matchAll(/^ {2}> +(\d+) {2}(.+)$/gm)) {
      expect(
        places.some(({ place, text }) => place.endsWith(`:${number}`) && text.includes(shown.trim())),
      ).toBe(true)
    }
    expect(summary.refusals).toHaveLength(1)
  })

  it('the sample shows every section of the skill, in the order of the skill', async () => {
    const { report } = await runOn(null)
    const skill = readFileSync(join(SAMPLE, '..', '..', 'skills', 'findings-report', 'SKILL.md'), 'utf8')
    const asked = [...skill.matchAll(/^\d+\. \*\*(.+?)\*\*/gm)].map(([, heading]) => heading)
    expect([...report.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)).toEqual(asked)
    expect(report).toMatch(/^# Findings in inputs \(Orders service\)\n/)
    expect(report).toMatch(/Left out of the listings and searches: \d × hidden by a rule, 1 × binary\./)
    expect(report).not.toContain('customers.csv')
  })

  it('another folder gives another report, a clean and an empty one honest ones', async () => {
    const todo = await runOn(folder({ 'x.py': '# TODO: cache\n' }))
    const clean = await runOn(folder({ 'x.py': 'print(1)\n' }))
    const empty = await runOn(folder())
    expect(todo.report).toContain('**`inputs/x.py:1`** – TODO: `# TODO: cache`')
    expect(clean.report).toContain('Nothing of what was searched for was found.')
    expect(empty.report).toContain(
      'The folder is empty: there was nothing to look at, and there are no findings.',
    )
    expect(empty.summary.byStatus).toEqual({ ok: 5, denied: 1 })
  })

  it('tries one thing that the policy forbids, and says so in the report and at the end', async () => {
    const { report, summary } = await runOn(folder({ 'a.txt': 'x' }))
    expect(report).toContain(
      '`write_file` on `inputs/written-by-the-agent.txt` was refused (permission_denied)',
    )
    expect(summary.refusals).toMatchObject([{ tool: 'write_file', layer: 'sandbox' }])
  })

  it('where the inputs may be written, it tries a folder that may not, and leaves the inputs alone', async () => {
    const input = folder({ 'a.txt': 'x' })
    const config = folder({
      'kgent.config.json': JSON.stringify({
        sandbox: { mounts: [{ name: 'inputs', dir: input, mode: 'rw' }] },
      }),
    })
    const { code, out } = await kgent(['run', '--json', '--runs', folder()], { cwd: config })
    expect([code, JSON.parse(out).byStatus.denied]).toEqual([0, 1])
    expect(existsSync(join(input, 'written-by-the-agent.txt'))).toBe(false)
  })

  it('an exception below an error of a log is told with the error', async () => {
    const log = 'ERROR request failed\nTimeoutError: no answer\n    at send (a.js:1:1)\nValueError: alone\n'
    const { report } = await runOn(folder({ 'app.log': log }))
    expect(report).toContain('`ERROR request failed`\n  - with, on line 2: `TimeoutError: no answer`')
  })

  it('says what it did not look at: cut searches with the least that is known, and folders of others', async () => {
    const input = folder({
      'big.log': Array.from({ length: 900 }, (_, line) => `ERROR ${line} of a kind ${line % 7}`).join('\n'),
      'node_modules/x/index.js': '// TODO: not ours\n',
    })
    const { report } = await runOn(input)
    expect(report).toMatch(
      /The search for “error” was cut short \(limit on matches\): 200 matches .*more may exist\./,
    )
    expect(report).toContain('Not searched, because others or tools wrote them: `node_modules`.')
    expect(report).not.toContain('not ours')
  })

  it('answers too large to inline are read from their artifact', async () => {
    const files = Array.from({ length: 150 }, (_, file): [string, string] => [
      `src/${String(file).padStart(3, '0')}.ts`,
      `// TODO: number ${file} ${'with many words '.repeat(20)}\n`,
    ])
    const { report, summary } = await runOn(folder(Object.fromEntries(files)))
    expect(summary.artifacts).toBeGreaterThan(0)
    expect(report).toContain('| Open work | 150 | 150 | 150 |')
    expect(report).toContain('… and 135 more, in 135 files.')
  })

  it('never repeats the text of a possible secret, wherever it stands', async () => {
    const secret = 'hunter2-hunter2'
    const { report, summary } = await runOn(
      folder({
        'c.env': `API_KEY=${secret}\n`,
        'a.log': `ERROR login failed password=${secret}\nERROR http://me:${secret}@db/\n`,
        'b.ts': `const token = '${secret}'\n// FIXME: no constant\n`,
      }),
    )
    expect(report).toContain(
      '**`inputs/c.env:1`** – possible secret in “API_KEY”; its text is not repeated here',
    )
    expect(report).not.toContain(secret)
    for (const file of ['events.jsonl', 'logs/tools.jsonl', 'archive/candidate-memory.jsonl'])
      expect(readFileSync(join(summary.dir, file), 'utf8')).not.toContain(secret)
  })

  it('text from files cannot break out of the report’s code', async () => {
    const { report } = await runOn(
      folder({ 'a.ts': '// TODO: ```` ## Not a heading\n// FIXME: \u001b[31m\u202egnp\n<!-- `x` -->\n' }),
    )
    expect([...report.matchAll(/^## .+$/gm)].map(String)).not.toContain('## Not a heading')
    expect(report).not.toMatch(/[\u001b\u202e]/)
    expect(report).toContain('\\u001b[31m\\u202egnp')
  })

  it('works in folders with spaces and letters of all kinds, from another folder', async () => {
    const cwd = folder({ 'für alle/логи/a b.log': 'ERROR x\n' })
    const ended = await kgent(['run', '--quiet', '--input', 'für alle', '--runs', 'läufe hier'], { cwd })
    expect(ended.out).toContain(join(cwd, 'läufe hier'))
    expect(readFileSync(ended.out.trim(), 'utf8')).toContain('`inputs/логи/a b.log:1`')
  })

  it('leaves a log that verifies, and an existing run is continued', async () => {
    const runs = folder()
    const args = [
      'run',
      '--quiet',
      '--runs',
      runs,
      '--run',
      'r1',
      '--input',
      folder({ 'a.ts': '// TODO: x\n' }),
    ]
    expect((await kgent(args)).code).toBe(0)
    expect((await kgent(args)).code).toBe(0)
    expect((await verifyRun(join(runs, 'r1'))).ok).toBe(true)
    const { code, out } = await kgent(['verify', 'r1', '--runs', runs])
    expect([code, out]).toEqual([0, expect.stringContaining('The log is whole')])
  })
})

describe('the form of the report', () => {
  const skill = (body: string) =>
    folder({ 'findings-report/SKILL.md': `---\nname: findings-report\ndescription: A form.\n---\n${body}\n` })
  const input = () => folder({ 'a.ts': '// TODO: one\n// TODO: two is longer\n', 'b.log': 'ERROR x\n' })

  it('follows the skill: title, sections, order and bounds', async () => {
    const { report } = await runOn(input(), [
      '--skills',
      skill(
        'Title: Things to mend in {folder}\n\nAt most 1 findings a section.\n\n1. **To do** (open-work)\n2. **In short** (summary)',
      ),
    ])
    expect(report).toMatch(/^# Things to mend in inputs\n\n## To do\n/)
    expect(report).toContain('… and 1 more, in 1 file.')
    expect([...report.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)).toEqual([
      'To do',
      'In short',
      'Not looked at',
    ])
    expect(report).toContain('Found, but the form has no section for it: 1 × error.')
  })

  it('without a skill, or with one that names no sections, it is a plain one, and the report says so', async () => {
    const none = await runOn(input(), ['--skills', folder()])
    const vague = await runOn(input(), ['--skills', skill('Write well.')])
    expect(none.report).toContain('because no skill says how a report is to look')
    expect(vague.report).toContain(
      'because the planner finds no list of sections in the skill findings-report',
    )
    for (const { report } of [none, vague]) expect(report).toContain('## Errors in logs')
  })
})

describe('what is shown', () => {
  it('a live timeline, the paths, the refusals and what waits', async () => {
    const runs = folder()
    const { out, code, error } = await kgent([
      'run',
      '--runs',
      runs,
      '--input',
      folder({ 'a.ts': '// TODO: x\n' }),
    ])
    expect([code, error]).toEqual([0, ''])
    expect(out).toContain('model    scripted: a rule-based planner, no network')
    expect(out).toMatch(/^ {2}✓ list_files +allow +\d+ ms {2}inputs: 1 entry$/m)
    expect(out).toMatch(/^ {2}✓ grep_files +allow +\d+ ms {2}\/.+ {2}1 match in 1 file searched$/m)
    expect(out).toMatch(/^ {2}✗ write_file +deny +\d+ ms {2}/m)
    expect(out).toMatch(/^ {2}refused {2}write_file on inputs\/written-by-the-agent\.txt: .+ \(sandbox\)$/m)
    expect(out).toMatch(/^ {2}report {3}.+report\.md$/m)
    expect(out).toContain(`1 candidate waits for review: kgent memory list --runs ${runs}`)
    expect(out).not.toContain('\u001b')
  })

  it('on a terminal there are colours and no line is wider than it', async () => {
    const { out } = await kgent(['run', '--runs', folder(), '--input', folder({ 'a.ts': '// TODO: x\n' })], {
      colours: true,
      columns: 80,
    })
    expect(out).toContain('\u001b[32m✓')
    const calls = out
      .replace(/\u001b\[\d*[mK]/g, '')
      .split('\n')
      .filter((line) => line.startsWith('  ✓'))
    expect(Math.max(...calls.map(({ length }) => length))).toBeLessThanOrEqual(80)
  })

  it('--quiet prints only where the report is', async () => {
    const { out, error } = await kgent(['run', '--quiet', '--runs', folder(), '--input', folder()])
    expect([out, error]).toEqual([expect.stringMatching(/^.+deliverables\/report\.md\n$/), ''])
  })
})
