import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { KgentError, openJsonLines } from '@kgent/logging'
import { describe, expect, it } from 'vitest'
import { folder, read } from './fixture.ts'

describe('openJsonLines', () => {
  it('makes the folders, and flush resolves when the lines are in the file', async () => {
    const file = join(folder(), 'a', 'b', 'log.jsonl')
    const lines = openJsonLines(file)
    lines.append('{"n":1}')
    lines.append('{"n":2}')
    expect(read(file)).toBe('')
    await lines.flush()
    expect(read(file)).toBe('{"n":1}\n{"n":2}\n')
    await lines.close()
  })

  it('writes the lines of one tick before anything that awaits', async () => {
    const file = join(folder(), 'log.jsonl')
    const lines = openJsonLines(file)
    lines.append('{"n":1}')
    await null
    expect(read(file)).toBe('{"n":1}\n')
    await lines.close()
  })

  it('waits for the disk where durability asks for it, also for many at once', async () => {
    const file = join(folder(), 'log.jsonl')
    const lines = openJsonLines(file, { durability: 'disk' })
    const flushes = Array.from({ length: 50 }, (_, n) => {
      lines.append(`{"n":${n}}`)
      return lines.flush()
    })
    await Promise.all(flushes)
    expect(read(file).split('\n')).toHaveLength(51)
    await lines.close()
    await lines.close()
  })

  it('log-03: begins on a new line, so that a torn line stands alone and is reported once', async () => {
    const file = join(folder(), 'log.jsonl')
    const torn = Buffer.from('eyJuIjoxfQp7Im4iOjIsInRleHQiOiJoYWxmIOOB', 'base64')
    writeFileSync(file, torn)
    const first = openJsonLines(file)
    expect(first.tail).toMatchObject({ torn: { offset: 8, bytes: 22 }, endsWithNewline: false })
    expect(first.tail.lastLine?.toString()).toBe('{"n":1}')
    first.append('{"n":3}')
    first.append('{"n":4}')
    await first.close()
    const text = read(file).split('\n')
    expect([text[0], text[2], text[3], text[4]]).toEqual(['{"n":1}', '{"n":3}', '{"n":4}', ''])
    const second = openJsonLines(file)
    expect(second.tail.torn).toBeNull()
    await second.close()
  })

  it('takes a last line that lacks only its newline for whole', async () => {
    const file = join(folder(), 'log.jsonl')
    writeFileSync(file, '{"n":1}\n{"n":2}')
    const lines = openJsonLines(file)
    expect(lines.tail.torn).toBeNull()
    expect(lines.tail.lastLine?.toString()).toBe('{"n":2}')
    lines.append('{"n":3}')
    await lines.close()
    expect(read(file)).toBe('{"n":1}\n{"n":2}\n{"n":3}\n')
  })

  it('finds the last whole line behind long and broken ones', async () => {
    const file = join(folder(), 'log.jsonl')
    const long = `{"text":"${'x'.repeat(200_000)}"}`
    writeFileSync(file, `{"n":1}\n${long}\nbroken\n[1]\n{"half\n`)
    const lines = openJsonLines(file)
    expect(lines.tail.lastLine?.length).toBe(long.length)
    await lines.close()
  })

  it('keeps what another writer appended meanwhile', async () => {
    const file = join(folder(), 'log.jsonl')
    const lines = openJsonLines(file)
    lines.append('{"n":1}')
    await lines.flush()
    appendFileSync(file, '{"other":1}\n')
    lines.append('{"n":2}')
    await lines.close()
    expect(read(file)).toBe('{"n":1}\n{"other":1}\n{"n":2}\n')
  })

  it('says once that the file was deleted, and never throws', async () => {
    const dir = folder()
    const failures: string[] = []
    const lines = openJsonLines(join(dir, 'logs', 'log.jsonl'), {
      onFailure: ({ message }) => failures.push(message),
    })
    lines.append('{"n":1}')
    await lines.flush()
    expect(lines.failure).toBeNull()
    rmSync(join(dir, 'logs'), { recursive: true })
    lines.append('{"n":2}')
    await lines.flush()
    expect(lines.failure).toMatchObject({ code: 'log_unavailable', details: { errno: 'ENOENT' } })
    lines.append('{"n":3}')
    await lines.close()
    expect(failures).toHaveLength(1)
    expect(failures[0]).not.toContain(dir)
    lines.append('{"n":4}')
    expect(lines.lost).toBe(2)
    expect(lines.failure).not.toBeNull()
  })

  it('refuses a folder, a FIFO and a place without a folder by name', () => {
    const dir = folder()
    mkdirSync(join(dir, 'folder.jsonl'))
    writeFileSync(join(dir, 'file'), '')
    const makeFifo = 'mkfifo'
    execFileSync(makeFifo, [join(dir, 'fifo.jsonl')])
    for (const path of ['folder.jsonl', 'fifo.jsonl', 'file/log.jsonl']) {
      const open = () => openJsonLines(join(dir, path))
      expect(open).toThrow(KgentError)
      expect(open).toThrow(/folder\.jsonl|fifo\.jsonl|log\.jsonl/)
      expect(open).not.toThrow(dir)
    }
  })
})
