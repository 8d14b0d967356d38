import { hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { serverBinaries, skipReason } from './postgres-server.ts'
import { startedClient } from './started-client.ts'

describe.skipIf(!serverBinaries)(`writing to PostgreSQL${skipReason}`, () => {
  const started = startedClient()
  const stored = async (scope: string): Promise<{ content: string; key: string }[]> => {
    const sql = 'select content, key from kgent_memory.item where scope = $1'
    return (await started.admin.query(sql, [scope])).rows
  }

  it('stores concurrent writes with one key once, and names the one item in every answer', async () => {
    const other = started.connect({ poolSize: 8 })
    const writes = Array.from({ length: 40 }, (_, at) =>
      (at % 2 ? other : started.client).writeMemory(`variant ${at}`, 'once', [], { idempotencyKey: 'one' }),
    )
    const results = await Promise.all(writes)
    expect(results.filter(({ status }) => status === 'written')).toHaveLength(1)
    expect(results.filter(({ status }) => status === 'duplicate')).toHaveLength(39)
    expect(new Set(results.map(({ id }) => id)).size).toBe(1)
    expect(await stored('once')).toHaveLength(1)
  })

  it('takes sha256 of scope, NUL and the normalised content as the key', async () => {
    await started.client.writeMemory('  Ｆull   width\n', 'key', [])
    const again = await started.client.writeMemory('Full width', 'key', [])
    expect(again.status).toBe('duplicate')
    expect(await stored('key')).toEqual([
      { content: '  Ｆull   width\n', key: hash('sha256', 'key\0Full width') },
    ])
  })

  it('stores one content in two scopes, and one key in two scopes', async () => {
    const options = { idempotencyKey: 'same' }
    const first = await started.client.writeMemory('shared', 'scope/1', [], options)
    const second = await started.client.writeMemory('shared', 'scope/2', [], options)
    expect([first.status, second.status]).toEqual(['written', 'written'])
    expect(first.id).not.toBe(second.id)
  })

  it('keeps keys of any length and any characters apart', async () => {
    const keys = ['k'.repeat(5_000), `${'k'.repeat(4_999)}l`, 'a\0b', 'a\0c', 'ü']
    for (const idempotencyKey of [...keys, ...keys]) {
      await started.client.writeMemory(`item ${keys.indexOf(idempotencyKey)}`, 'keys', [], { idempotencyKey })
    }
    expect(await stored('keys')).toHaveLength(keys.length)
  })

  it('loses no acknowledged write of many at once', async () => {
    const writes = Array.from({ length: 200 }, (_, at) =>
      started.client.writeMemory(`note ${at}`, 'many', ['n']),
    )
    expect((await Promise.all(writes)).every(({ status }) => status === 'written')).toBe(true)
    expect(await stored('many')).toHaveLength(200)
  })

  it('refuses what it could not give back unchanged', async () => {
    for (const [content, tags] of [
      ['', []],
      [' \n\t', []],
      ['a\0b', []],
      ['half \ud83d', []],
      ['x', ['\0']],
    ] as const) {
      const result = await started.client.writeMemory(content, 'refused', [...tags])
      expect(result).toMatchObject({ status: 'error', id: null, error: { code: 'memory_rejected' } })
    }
    const result = await started.client.writeMemory('x', 'refused', [], { metadata: { note: 'a\0b' } })
    expect(result).toMatchObject({ status: 'error', error: { code: 'memory_rejected' } })
    expect(await stored('refused')).toEqual([])
  })

  it('refuses an item that is too large for the search, and stores a large one', async () => {
    const words = (count: number): string => Array.from({ length: count }, (_, at) => `w${at}`).join(' ')
    const tooLarge = await started.client.writeMemory(words(150_000), 'large', [])
    expect(tooLarge).toMatchObject({ status: 'error', error: { code: 'memory_rejected', retryable: false } })
    const large = await started.client.writeMemory('word '.repeat(50_000), 'large', [])
    expect(large.status).toBe('written')
  })
})
