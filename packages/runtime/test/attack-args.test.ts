import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fileText, lines, startRun } from './fixture.ts'

const NOTE = 'hello note\n'

/** A run with a note in its workspace. */
async function noteRun() {
  const run = await startRun()
  await run.call('write_file', { path: 'workspace/note.txt', content: NOTE })
  const note = () => readFileSync(join(run.dir, 'workspace', 'note.txt'), 'utf8')
  return { run, note, call: (tool: string, input: unknown) => run.call(tool, input as never) }
}

describe('hostile arguments', () => {
  it('a __proto__ key is no path and pollutes nothing', async () => {
    const { run, call } = await noteRun()
    const names = Object.getOwnPropertyNames(Object.prototype).sort()
    const read = await call(
      'read_file',
      JSON.parse('{"path":"workspace/note.txt","__proto__":{"path":"/etc/passwd"}}'),
    )
    expect(JSON.stringify(read)).not.toContain('root:x:0')
    const written = await call(
      'write_file',
      JSON.parse('{"__proto__":{"path":"workspace/p.txt","content":"x"}}'),
    )
    expect(written.ok).toBe(false)
    expect(existsSync(join(run.dir, 'workspace', 'p.txt'))).toBe(false)
    expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual(names)
  })

  it('a path of another type is refused, and the next call works', async () => {
    const { call } = await noteRun()
    for (const path of [123, null, {}, true, ['workspace/note.txt'], undefined]) {
      expect(await call('read_file', { path })).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
    }
    expect((await call('read_file', { path: 'workspace/note.txt' })).ok).toBe(true)
  })

  it('unknown arguments change neither the place nor the mode of a file', async () => {
    const { run, call } = await noteRun()
    const read = await call('read_file', {
      path: 'workspace/note.txt',
      root: '/',
      cwd: '/etc',
      encoding: 'hex',
    })
    if (read.ok) expect(JSON.stringify(read.data)).toContain('hello note')
    const written = await call('write_file', {
      path: 'workspace/e.txt',
      content: 'x',
      flag: 'a',
      mode: 511,
      root: '/',
    })
    if (written.ok) expect(statSync(join(run.dir, 'workspace', 'e.txt')).mode & 0o022).toBe(0)
  })

  it('odd numbers for a window are refused or answered, and end at once', async () => {
    const { call } = await noteRun()
    for (const [offset, limit] of [
      [-1, -5],
      [1e308, 1e308],
      [0, 0],
      ['10', 'all'],
      [0.5, 1.5],
      [Number.NaN, Number.POSITIVE_INFINITY],
    ]) {
      const answer = await call('read_file', { path: 'workspace/note.txt', offset, limit })
      expect(answer.ok).toBe(false)
    }
  })

  it('content of another type never lands in a file', async () => {
    const { call, note } = await noteRun()
    for (const content of [{ a: 1 }, null, 42, ['a', 'b'], undefined]) {
      expect((await call('write_file', { path: 'workspace/note.txt', content })).ok).toBe(false)
      expect(note()).toBe(NOTE)
    }
  })

  it('a path of 10 MB is refused without being repeated', async () => {
    const { call } = await noteRun()
    for (const path of ['A'.repeat(10_000_000), `workspace/${'../'.repeat(3_000_000)}`]) {
      const answer = await call('read_file', { path })
      expect(answer.ok).toBe(false)
      expect(JSON.stringify(answer).length).toBeLessThan(10_000)
    }
  })
})

describe('the log under hostile arguments', () => {
  it('line feeds in arguments make no lines, and every call has one, denied and failed alike', async () => {
    const { run, call } = await noteRun()
    const forged = '\n{"forged":true}\n'
    await call('read_file', { path: `workspace/x${forged}` })
    await call('write_file', { path: 'workspace/y.txt', content: `a${forged}b` })
    await call('grep_files', { pattern: forged, path: 'workspace' })
    await call('read_file', { path: '../../etc/passwd' })
    await call('read_file', { path: 42 })
    await call('write_file', {})
    await run.close()
    const records = lines(run, 'logs/tools.jsonl')
    expect(records).toHaveLength(7)
    expect(records.some((record) => record.forged === true)).toBe(false)
  })

  it('arguments of 10 MB are not kept whole', async () => {
    const { run, call } = await noteRun()
    await call('write_file', { path: 'workspace/b.txt', content: 'z'.repeat(10_000_000) })
    await call('read_file', { path: 'p'.repeat(10_000_000) })
    await call('grep_files', { pattern: 'q'.repeat(10_000_000), path: 'workspace' })
    await run.close()
    expect(lines(run, 'logs/tools.jsonl')).toHaveLength(4)
    expect(fileText(run, 'logs/tools.jsonl').length).toBeLessThan(262_144)
  })

  it('fifty calls at the same time give fifty whole lines', async () => {
    const { run, call } = await noteRun()
    const paths = Array.from(
      { length: 50 },
      (_, index) => `workspace/${index % 2 === 0 ? 'none' : 'note.txt'}`,
    )
    await Promise.all(paths.map((path) => call('read_file', { path })))
    await run.close()
    expect(lines(run, 'logs/tools.jsonl')).toHaveLength(51)
  })
})
