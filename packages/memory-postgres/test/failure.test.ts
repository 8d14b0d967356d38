import { createMemory } from '@kgent/memory'
import type { MemoryWriteResult, PostgresMemoryClient } from '@kgent/memory-postgres'
import pg from 'pg'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { type LossyLine, lossyLine } from './lossy-line.ts'
import { PASSWORD, serverBinaries, skipReason } from './postgres-server.ts'
import { startedClient } from './started-client.ts'

describe.skipIf(!serverBinaries)(`a PostgreSQL in trouble${skipReason}`, () => {
  const started = startedClient()
  const lines: LossyLine[] = []
  /** No answer says a secret: no password, host, port, user, file or SQL. */
  const checkWords = (answer: string): void => {
    const secrets = [
      PASSWORD,
      'wr0ng-secret',
      '127.0.0.1',
      String(started.server.port),
      'keeper',
      'not_there',
      '/tmp',
    ]
    expect([...secrets, 'select ', 'insert '].filter((secret) => answer.includes(secret))).toEqual([])
  }

  const recallFailure = async (recalled: Promise<unknown>): Promise<unknown> => {
    const error: { info?: unknown; stack?: string } = await recalled.then(
      () => ({}),
      (reason) => reason,
    )
    checkWords(`${JSON.stringify(error.info)} ${String(error.stack).split('\n')[0]}`)
    return error.info
  }
  const written = async (writing: Promise<MemoryWriteResult>): Promise<MemoryWriteResult> => {
    const result = await writing
    checkWords(JSON.stringify(result))
    return result
  }
  const count = async (scope: string): Promise<number> => {
    const sql = 'select count(*)::int as count from kgent_memory.item where scope = $1'
    return (await started.admin.query(sql, [scope])).rows[0].count
  }
  /** Until a connection of a client runs a statement that begins like this. */
  const running = async (begin: string): Promise<void> => {
    const sql = `select 1 from pg_stat_activity where application_name = 'kgent' and state = 'active' and ltrim(query, E' \\n') ilike $1`
    await vi.waitFor(async () => expect((await started.admin.query(sql, [`${begin}%`])).rowCount).toBe(1), {
      timeout: 10_000,
      interval: 5,
    })
  }
  const whileLocked = async (work: () => Promise<void>): Promise<void> => {
    const holder = await started.admin.connect()
    holder.on('error', () => {})
    try {
      await holder.query('begin; lock table kgent_memory.item in access exclusive mode')
      await work()
    } finally {
      holder.release(true)
    }
  }
  const throughLine = async (): Promise<{ line: LossyLine; client: PostgresMemoryClient }> => {
    const line = await lossyLine(started.server.port)
    lines.push(line)
    const connectionString = started.server.url().replace(`:${started.server.port}/`, `:${line.port}/`)
    return { line, client: started.connect({ connectionString, statementTimeoutMs: 200 }) }
  }

  afterEach(async () => {
    await started.server.start()
  })

  afterAll(async () => {
    await Promise.all(lines.map((line) => line.close()))
  })

  it('is unavailable when nobody listens, and a write is a certain failure', async () => {
    await started.server.stop()
    const client = started.connect()
    const unavailable = { code: 'memory_unavailable', retryable: true }
    expect(await recallFailure(client.recallMemory('x', 'down', 5))).toMatchObject(unavailable)
    const result = await written(client.writeMemory('x', 'down', []))
    expect(result).toMatchObject({ status: 'error', id: null, error: unavailable })
  })

  it('is available again to the same client after a restart', async () => {
    await started.client.writeMemory('before the restart', 'restart', [])
    await started.server.stop()
    await started.server.start()
    await vi.waitFor(async () =>
      expect(await started.client.recallMemory('before', 'restart', 5)).toHaveLength(1),
    )
  })

  it('stopped in the middle of a recall, rejects instead of answering with an empty list', async () => {
    await whileLocked(async () => {
      const recalled = recallFailure(started.client.recallMemory('x', 'stopped', 5))
      await running('select')
      await started.server.stop('SIGQUIT')
      expect(await recalled).toMatchObject({ code: 'memory_unavailable' })
    })
  })

  it('stopped before the commit was sent, says with certainty that nothing is stored', async () => {
    await whileLocked(async () => {
      const writing = written(started.client.writeMemory('x', 'stopped', []))
      await running('insert')
      await started.server.stop('SIGQUIT')
      expect(await writing).toMatchObject({ status: 'error', error: { code: 'memory_unavailable' } })
    })
    await started.server.start()
    expect(await count('stopped')).toBe(0)
  })

  it('stopped during the commit, says that the item may be stored', async () => {
    await started.admin.query(`
      create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(60); return null; end $$;
      create constraint trigger slow after insert on kgent_memory.item initially deferred
        for each row when (new.scope = 'commit') execute function slow()`)
    const writing = written(started.client.writeMemory('x', 'commit', []))
    await running('commit')
    await started.server.stop('SIGQUIT')
    expect(await writing).toMatchObject({ status: 'unknown', id: null, error: { code: 'memory_unknown' } })
    await started.server.start()
    await started.admin.query('drop function slow cascade')
    expect((await started.client.writeMemory('x', 'commit', [])).status).toBe('written')
  })

  it.each(['lose the answer and hang up', 'lose the answer and stay silent'] as const)(
    'the line can %s: the write is unknown, and made again it is a duplicate',
    async (trouble) => {
      const { line, client } = await throughLine()
      line.atCommit = trouble
      const result = await written(client.writeMemory('x', trouble, []))
      expect(result).toMatchObject({ status: 'unknown', error: { code: 'memory_unknown', retryable: false } })
      line.atCommit = 'pass'
      expect(await client.writeMemory('x', trouble, [])).toMatchObject({ status: 'duplicate', error: null })
      expect(await count(trouble)).toBe(1)
    },
  )

  it('behind the gate of @kgent/memory, a lost answer is asked for again and the item is stored once', async () => {
    const { line, client } = await throughLine()
    line.atCommit = 'lose the answer and hang up'
    const onRetry = vi.fn(() => {
      line.atCommit = 'pass'
    })
    const memory = createMemory({ mode: 'external', client, scopes: ['gate'], runId: 'run-1', onRetry })
    expect(await memory.writeMemory('x', 'gate', [])).toMatchObject({ status: 'duplicate', error: null })
    expect(onRetry).toHaveBeenCalledOnce()
    expect(await memory.recallMemory('x', 'gate', 5)).toMatchObject([{ metadata: { runId: 'run-1' } }])
    expect(await count('gate')).toBe(1)
  })

  it('too slow, is unavailable by the time limit of its statements', async () => {
    const client = started.connect({ statementTimeoutMs: 50 })
    await whileLocked(async () => {
      const late = { code: 'memory_unavailable', message: expect.stringContaining('time limit') }
      expect(await recallFailure(client.recallMemory('x', 'slow', 5))).toMatchObject(late)
      expect(await written(client.writeMemory('x', 'slow', []))).toMatchObject({
        status: 'error',
        error: late,
      })
    })
    expect(await count('slow')).toBe(0)
  })

  it('loses no acknowledged write in a crash, and stores nothing of a failed one', async () => {
    const client = started.connect({ poolSize: 8 })
    const answered: [string, MemoryWriteResult][] = []
    const writer = async (name: number): Promise<void> => {
      for (let at = 0; at < 500; at++) {
        const content = `item ${name}/${at}`
        const result = await client.writeMemory(content, 'crash', [])
        answered.push([content, result])
        if (result.status !== 'written') return
      }
    }
    const writers = Promise.all(Array.from({ length: 8 }, (_, name) => writer(name)))
    await vi.waitFor(() => expect(answered.length).toBeGreaterThan(40), { interval: 1, timeout: 10_000 })
    await started.server.stop('SIGQUIT')
    await writers
    await started.server.start()
    const rows = (await started.admin.query(`select content from kgent_memory.item where scope = 'crash'`))
      .rows
    const present = new Set(rows.map(({ content }) => content))
    const by = (status: string): string[] =>
      answered.filter(([, result]) => result.status === status).map(([content]) => content)
    expect(by('written').filter((content) => !present.has(content))).toEqual([])
    expect(by('error').filter((content) => present.has(content))).toEqual([])
    expect(answered.length).toBe(by('written').length + by('error').length + by('unknown').length)
  })

  it('obeys a signal: nothing is stored before the commit, anything is possible after it', async () => {
    const aborted = AbortSignal.abort()
    expect(
      await recallFailure(started.client.recallMemory('x', 'abort', 5, { signal: aborted })),
    ).toMatchObject({
      code: 'aborted',
    })
    const never = await started.client.writeMemory('x', 'abort', [], { signal: aborted })
    expect(never).toMatchObject({ status: 'error', error: { code: 'aborted' } })

    await whileLocked(async () => {
      const controller = new AbortController()
      const { signal } = controller
      const recalled = recallFailure(started.client.recallMemory('x', 'abort', 5, { signal }))
      await running('select')
      const writing = started.client.writeMemory('x', 'abort', [], { signal })
      await running('insert')
      controller.abort()
      expect(await recalled).toMatchObject({ code: 'aborted' })
      expect(await writing).toMatchObject({ status: 'error', error: { code: 'aborted' } })
    })
    expect(await count('abort')).toBe(0)

    const { line, client } = await throughLine()
    const controller = new AbortController()
    line.atCommit = 'lose the answer and stay silent'
    line.onCommit = () => controller.abort()
    const late = await client.writeMemory('x', 'abort', [], { signal: controller.signal })
    expect(late).toMatchObject({ status: 'unknown', error: { code: 'memory_unknown' } })
  })

  it('refuses a wrong password and an unknown database as unavailable', async () => {
    const wrong = started.connect({
      connectionString: started.server.url().replace(PASSWORD, 'wr0ng-secret'),
    })
    const gone = started.connect({ connectionString: started.server.url('not_there') })
    for (const client of [wrong, gone]) {
      expect(await recallFailure(client.recallMemory('x', 'auth', 5))).toMatchObject({
        code: 'memory_unavailable',
      })
      expect(await written(client.writeMemory('x', 'auth', []))).toMatchObject({ status: 'error' })
    }
  })

  it('is unavailable when all connections of the pool stay taken', async () => {
    const pool = new pg.Pool({ connectionString: started.server.url(), max: 1 })
    const taken = await pool.connect()
    const client = started.connect({ connectionString: undefined as never, pool, connectionTimeoutMs: 50 })
    expect(await recallFailure(client.recallMemory('x', 'pool', 5))).toMatchObject({
      code: 'memory_unavailable',
    })
    taken.release()
    expect(await client.recallMemory('x', 'pool', 5)).toEqual([])
    await client.close()
    expect((await pool.query('select 1')).rowCount).toBe(1)
    await pool.end()
  })

  it('closed twice, is unavailable', async () => {
    const client = started.connect()
    expect((await client.writeMemory('x', 'closed', [])).status).toBe('written')
    await client.close()
    await client.close()
    expect(await recallFailure(client.recallMemory('x', 'closed', 5))).toMatchObject({
      code: 'memory_unavailable',
    })
    expect(await written(client.writeMemory('y', 'closed', []))).toMatchObject({ status: 'error' })
  })
})
