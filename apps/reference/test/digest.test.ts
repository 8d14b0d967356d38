import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { folder, kgent } from './fixture.ts'

const SAMPLE = join(dirname(fileURLToPath(import.meta.url)), '..', 'sample', 'data')

async function digest(input: string | null) {
  const from = input === null ? [] : ['--input', input]
  const ended = await kgent(['run', '--job', 'digest', '--json', '--runs', folder(), ...from])
  const summary = ended.json()
  const [text = '', counts = ''] = summary.delivered.map((path: string) => readFileSync(path, 'utf8'))
  return { code: ended.code, summary, text, counts: JSON.parse(counts) }
}

const sampleText = (name: string) => readFileSync(join(SAMPLE, name), 'utf8')
const rowsOf = (name: string) => sampleText(name).trimEnd().split('\n').slice(1)

describe('the digest of data files', () => {
  it('counts what is really there, by the skill, and reads what was too large from artifacts', async () => {
    const { code, summary, text, counts } = await digest(null)
    expect(code).toBe(0)
    const orders = rowsOf('orders-2026-11.csv')
    const file = counts.files.find(({ path }: { path: string }) => path.endsWith('orders-2026-11.csv'))
    expect(file).toMatchObject({
      rows: orders.length,
      rowsAreExact: true,
      fields: ['id', 'placed_at', 'customer', 'city', 'total', 'status', 'coupon'],
      empty: {
        customer: orders.filter((row) => row.split(',')[2] === '').length,
        coupon: orders.filter((row) => row.split(',')[6] === '').length,
      },
      dates: { first: '2026-11-01', last: '2026-11-30' },
    })
    const events = counts.files.find(({ format }: { format: string }) => format === 'jsonl')
    expect(events.rows).toBe(sampleText('events-2026-11.jsonl').trimEnd().split('\n').length)
    expect(summary.artifacts).toBeGreaterThan(0)
    const calls = readFileSync(join(summary.dir, 'logs', 'tools.jsonl'), 'utf8')
    expect(calls).toContain('"tool":"load_skill"')
    expect(calls).toMatch(/"tool":"read_file".*artifacts\//)
    expect(text).toContain('has `coupon` besides')
    // No value of a row: names of customers are in the data, and nowhere else.
    expect(text + JSON.stringify(counts)).not.toMatch(/c-1\d\d\d|Kyoto/)
  })

  it('knows quoted cells, empty folders and files that are no data', async () => {
    const quoted = await digest(
      folder({ 'a.csv': 'id,name,note\n1,"Doe, Ann",\n2,,"x ""y"""\n', 'b.bin': 'x' }),
    )
    expect(quoted.counts.files[0]).toMatchObject({ rows: 2, empty: { name: 1, note: 1 } })
    expect(quoted.counts.notCounted).toEqual([{ path: 'inputs/b.bin', reason: expect.any(String) }])
    const empty = await digest(folder())
    expect(empty.text).toContain('No data files')
    expect(empty.code).toBe(0)
  })
})
