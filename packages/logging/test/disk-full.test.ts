import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createArtifactStore, createRunLog, type RunEvent, verifyRun } from '@kgent/logging'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { folder, linesOf, read, writeCall } from './fixture.ts'
import { buildChild, startChild } from './run-child.ts'

const MOUNT = 'mount'
const UNMOUNT = 'umount'
const CHANGE_ATTRIBUTES = 'chattr'

/** Mounts a small disk in memory, where root may; null elsewhere. */
function smallDisk(): string | null {
  const dir = join(folder(), 'disk')
  mkdirSync(dir)
  try {
    execFileSync(MOUNT, ['-t', 'tmpfs', '-o', 'size=128k', 'kgent-test', dir], { stdio: 'ignore' })
    return dir
  } catch {
    return null
  }
}

function fill(file: string): void {
  try {
    for (let n = 0; n < 1_000; n += 1) writeFileSync(file, 'x'.repeat(4_096), { flag: 'a' })
  } catch {
    // Full, as wanted.
  }
}

describe('a full disk', () => {
  let disk: string | null = null
  beforeEach(() => {
    disk = smallDisk()
  })
  afterEach(() => {
    if (disk) execFileSync(UNMOUNT, ['-l', disk])
  })

  it('delays lines, says so once, and writes them whole when there is room again', async ({ skip }) => {
    if (!disk) return skip('needs the right to mount a small disk')
    const dir = join(disk, 'run')
    const log = createRunLog({ dir, runId: 'run-1' })
    const told: RunEvent[] = []
    log.events.subscribe((event) => event.type === 'log.error' && told.push(event))
    writeCall(log, { callId: 'before' })
    await log.logger.flush()
    fill(join(disk, 'filler'))
    for (let n = 0; n < 50; n += 1) {
      writeCall(log, { callId: `full-${n}` })
      await Promise.all([log.logger.flush(), log.events.flush()])
    }
    expect(log.logger.failure).toMatchObject({ code: 'log_unavailable', details: { errno: 'ENOSPC' } })
    expect(told.map(({ data }) => data.file).sort()).toEqual(['events.jsonl', 'logs/tools.jsonl'])
    rmSync(join(disk, 'filler'))
    writeCall(log, { callId: 'after' })
    await Promise.all([log.logger.flush(), log.events.flush()])
    expect(log.logger.failure).toBeNull()
    expect((await log.close()).failure).toBeNull()
    expect(linesOf(dir, 'logs/tools.jsonl')).toHaveLength(52)
    expect(await verifyRun(dir)).toMatchObject({ ok: true, calls: { recorded: 52 } })
  })

  it('that stays full is said by close; the next start begins on a new line', async ({ skip }) => {
    if (!disk) return skip('needs the right to mount a small disk')
    const dir = join(disk, 'run')
    const log = createRunLog({ dir, runId: 'run-1', required: true })
    writeCall(log, { callId: 'before' })
    await log.logger.flush()
    fill(join(disk, 'filler'))
    for (let n = 0; n < 50; n += 1) {
      writeCall(log, { callId: `full-${n}` })
      await log.logger.flush()
    }
    const { failure } = await log.close()
    expect(failure).toMatchObject({ code: 'log_unavailable' })
    expect(read(dir, 'logs/tools.jsonl').endsWith('\n')).toBe(false)
    rmSync(join(disk, 'filler'))
    const next = createRunLog({ dir, runId: 'run-1' })
    expect(next.opened.remarks.join()).toContain('logs/tools.jsonl')
    writeCall(next, { callId: 'after' })
    await next.close()
    const lines = read(dir, 'logs/tools.jsonl').trimEnd().split('\n')
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ callId: 'after' })
    expect((await verifyRun(dir)).files[0]).toMatchObject({ problem: null, torn: [lines.length - 1] })
  })

  it('is the answer of the artifact store, and leaves nothing half behind', async ({ skip }) => {
    if (!disk) return skip('needs the right to mount a small disk')
    const store = createArtifactStore({ dir: join(disk, 'archive', 'artifacts') })
    const before = statfsSync(disk).bfree
    expect(await store.put({ content: 'x'.repeat(1_000_000) })).toMatchObject({
      error: { code: 'disk_full' },
    })
    expect(statfsSync(disk).bfree).toBe(before)
    expect(await store.put({ content: 'small' })).toMatchObject({ ok: true })
  })
})

describe('a file that can grow no more', () => {
  it('keeps its whole lines, says so once, and is gone on with behind the torn line', async () => {
    const dir = folder()
    const program = await buildChild(new URL('./children/limited.ts', import.meta.url))
    onTestFinished(() => program.remove())
    const { output, code } = await startChild(program.file, { args: [dir], fileBlocks: 8 }).ended
    expect(code).toBe(0)
    const { failure, told, closed } = JSON.parse(output)
    expect(failure).toMatchObject({ code: 'log_unavailable', details: { errno: 'EFBIG' } })
    expect(told).toMatchObject([{ file: 'logs/errors.jsonl', errno: 'EFBIG' }])
    expect(closed).toMatchObject({ code: 'log_unavailable' })
    const next = createRunLog({ dir, runId: 'run-1' })
    expect(next.opened.errors.torn).not.toBeNull()
    next.logger.recordError({ callId: null, tool: null, code: 'internal', message: 'after' })
    await next.close()
    const { files } = await verifyRun(dir)
    expect(files[2]).toMatchObject({ file: 'logs/errors.jsonl', problem: null, torn: [expect.any(Number)] })
    expect(read(dir, 'logs/errors.jsonl').trimEnd().split('\n').at(-1)).toContain('after')
  })
})

describe('a file that becomes read-only', () => {
  it('fails no call, and is said', async ({ skip }) => {
    const dir = folder()
    const log = createRunLog({ dir, runId: 'run-1' })
    writeCall(log, { callId: 'before' })
    await log.logger.flush()
    const file = join(dir, 'logs', 'tools.jsonl')
    if (!setImmutable(file, true)) return skip('needs the right to make a file immutable, on a disk that can')
    onTestFinished(() => void setImmutable(file, false))
    writeCall(log, { callId: 'while' })
    await log.logger.flush()
    expect(log.logger.failure).toMatchObject({ code: 'log_unavailable', details: { errno: 'EPERM' } })
    setImmutable(file, false)
    expect((await log.close()).failure).toBeNull()
    expect(await verifyRun(dir)).toMatchObject({ ok: true, calls: { recorded: 2 } })
  })
})

function setImmutable(file: string, isImmutable: boolean): boolean {
  try {
    execFileSync(CHANGE_ATTRIBUTES, [isImmutable ? '+i' : '-i', file], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
