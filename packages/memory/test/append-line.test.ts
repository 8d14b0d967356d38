import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createCandidateMemoryClient } from '@kgent/memory'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { temporaryFolder } from './fixture.ts'

/** Called before a write of the package, with the file's descriptor; may write less itself and say how much. */
let beforeWrite: ((write: (text: string) => void) => number | undefined) | null = null

vi.mock('node:fs', async (importOriginal) => {
  const fs = await importOriginal<typeof import('node:fs')>()
  const writeSync = (descriptor: number, bytes: Buffer, ...rest: number[]) => {
    const hook = beforeWrite
    beforeWrite = null
    return hook?.((text) => fs.writeSync(descriptor, text)) ?? fs.writeSync(descriptor, bytes, ...rest)
  }
  return { ...fs, writeSync, default: { ...fs, writeSync } }
})
afterEach(() => {
  beforeWrite = null
})

describe('one line of a candidate file', () => {
  const write = (file: string) => createCandidateMemoryClient({ file }).writeMemory('A fact', 'team', [])
  const contentsOf = (file: string) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('{"v":1') && line.endsWith('}'))
      .map((line) => JSON.parse(line).content)

  it('stands on its own although another writer died between our look and our write', async () => {
    const file = join(temporaryFolder(), 'c.jsonl')
    appendFileSync(file, 'whole\n')
    beforeWrite = (other) => {
      other('torn by its end')
      return undefined
    }
    expect((await write(file)).status).toBe('candidate')
    expect(contentsOf(file)).toEqual(['A fact'])
  })

  it('stands on its own although another writer was faster', async () => {
    const file = join(temporaryFolder(), 'c.jsonl')
    beforeWrite = (other) => {
      other('{"other":1}\n')
      return undefined
    }
    expect((await write(file)).status).toBe('candidate')
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(3)
    expect(contentsOf(file)).toEqual(['A fact'])
  })

  it('that the system took only a part of is written again, whole', async () => {
    const file = join(temporaryFolder(), 'c.jsonl')
    beforeWrite = (cut) => {
      cut('{"v":1,"id":"cut')
      return 16
    }
    expect((await write(file)).status).toBe('candidate')
    expect(contentsOf(file)).toEqual(['A fact'])
  })

  it('that does not fit on the disk is not acknowledged', async () => {
    const file = join(temporaryFolder(), 'c.jsonl')
    beforeWrite = () => {
      throw Object.assign(new Error('no room'), { code: 'ENOSPC' })
    }
    expect(await write(file)).toMatchObject({ status: 'error', error: { code: 'disk_full' } })
  })
})
