import type { McpMemoryClient, MemoryWriteResult } from '@kgent/memory-mcp'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { stubClients } from './stub-client.ts'

describe('a memory server in trouble', () => {
  const stub = stubClients()
  /** Answers are in words of our own: no path, no text of the server. */
  const checkWords = (answer: unknown): void => {
    expect(JSON.stringify(answer)).not.toMatch(/disk full|cannot read|No memories|\/tmp|stub-server/)
  }

  const recallFailure = async (client: McpMemoryClient, signal?: AbortSignal): Promise<unknown> => {
    const error: { info?: unknown } = await client
      .recallMemory('note', 'trouble', 5, signal && { signal })
      .then(
        (items) => ({ info: items }),
        (reason) => reason,
      )
    checkWords(error.info)
    return error.info
  }
  const written = async (writing: Promise<MemoryWriteResult>): Promise<MemoryWriteResult> => {
    const result = await writing
    checkWords(result)
    return result
  }
  const storedTexts = (): string[] => stub.stored().map(({ memory }) => memory)
  const unavailable = { code: 'memory_unavailable', retryable: true }

  afterEach(() => {
    vi.restoreAllMocks()
  })

  it.each(['does not start', 'lacks a tool'])(
    'that %s is unavailable, and a write is a certain failure',
    async (fault) => {
      const client = stub.connect(fault)
      expect(await recallFailure(client)).toMatchObject(unavailable)
      expect(await written(client.writeMemory('x', 'trouble', []))).toMatchObject({
        status: 'error',
        error: unavailable,
      })
    },
  )

  it('that is no program is unavailable', async () => {
    const client = stub.connect('', { command: `${stub.folder}/no-such-program` })
    expect(await recallFailure(client)).toMatchObject(unavailable)
    expect(await written(client.writeMemory('x', 'trouble', []))).toMatchObject({
      status: 'error',
      error: unavailable,
    })
  })

  it('that lacks a tool is told which', async () => {
    expect(await recallFailure(stub.connect('lacks a tool'))).toMatchObject({
      message: 'The memory server has no tool `search`.',
    })
  })

  it.each([
    'is silent when searched',
    'ends when searched',
    'refuses',
    'answers in prose',
    'answers with other items',
  ])('that %s is unavailable, never an empty list', async (fault) => {
    expect(await recallFailure(stub.connect(fault, { callTimeoutMs: 300 }))).toMatchObject(unavailable)
  })

  it('that writes other text to its output is understood nevertheless', async () => {
    const client = stub.connect('talks nonsense')
    expect((await client.writeMemory('through nonsense', 'nonsense', [])).status).toBe('written')
  })

  it('that refuses has certainly not stored the item', async () => {
    const result = await written(stub.connect('refuses').writeMemory('refused', 'trouble', []))
    expect(result).toMatchObject({ status: 'error', error: { code: 'memory_rejected' } })
  })

  it.each([
    ['is silent before storing', 0],
    ['is silent after storing', 1],
    ['ends after storing', 1],
  ])('that %s leaves it unknown whether the item is stored', async (fault, times) => {
    const client = stub.connect(fault, { callTimeoutMs: 300 })
    const result = await written(client.writeMemory(fault, 'trouble', []))
    expect(result).toMatchObject({
      status: 'unknown',
      id: null,
      error: { code: 'memory_unknown', retryable: false },
    })
    expect(storedTexts().filter((text) => text === fault)).toHaveLength(times)
  })

  it('that has ended is started again by the next call', async () => {
    const client = stub.connect('ends when searched')
    expect(await recallFailure(client)).toMatchObject(unavailable)
    expect((await client.writeMemory('after the end', 'trouble', [])).status).toBe('written')
  })

  it('that is silent at one write gets the next one only after it has ended', async () => {
    const client = stub.connect('is silent after storing', { callTimeoutMs: 300 })
    const results = await Promise.all(
      ['first', 'second'].map((text) => client.writeMemory(text, 'queue', [])),
    )
    expect(results.map(({ status }) => status)).toEqual(['unknown', 'unknown'])
    expect(storedTexts()).toEqual(expect.arrayContaining(['first', 'second']))
  })

  it('obeys a signal: before the item is sent nothing is stored, after it anything is possible', async () => {
    const client = stub.connect('is silent after storing')
    const aborted = AbortSignal.abort()
    expect(await recallFailure(client, aborted)).toMatchObject({ code: 'aborted' })
    const never = await client.writeMemory('never sent', 'abort', [], { signal: aborted })
    expect(never).toMatchObject({ status: 'error', error: { code: 'aborted' } })

    const [first, second] = [new AbortController(), new AbortController()]
    const sent = client.writeMemory('sent', 'abort', [], { signal: first.signal })
    const waiting = client.writeMemory('waiting', 'abort', [], { signal: second.signal })
    await vi.waitFor(() => expect(storedTexts()).toContain('sent'), { timeout: 10_000 })
    second.abort()
    expect(await waiting).toMatchObject({ status: 'error', error: { code: 'aborted' } })
    first.abort()
    expect(await sent).toMatchObject({ status: 'unknown', error: { code: 'memory_unknown' } })
    await client.close()
    expect(storedTexts().filter((text) => ['never sent', 'waiting'].includes(text))).toEqual([])
  })

  it('obeys a signal in the middle of a recall', async () => {
    const client = stub.connect('is silent when searched')
    await client.writeMemory('running', 'abort', [])
    const controller = new AbortController()
    const recalled = recallFailure(client, controller.signal)
    controller.abort()
    expect(await recalled).toMatchObject({ code: 'aborted' })
  })

  it('closed twice, is unavailable, and its program has ended', async () => {
    const client = stub.connect('')
    expect((await client.writeMemory('before the end', 'closed', [])).status).toBe('written')
    await client.close()
    await client.close()
    expect(await recallFailure(client)).toMatchObject(unavailable)
    expect(await written(client.writeMemory('after', 'closed', []))).toMatchObject({
      status: 'error',
      error: unavailable,
    })
  })
})
