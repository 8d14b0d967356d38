import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { KgentError, type MemoryItem, type MemoryWriteResult } from '@kgent/contracts'
import type { DescribedMemoryClient, MemoryAbilities } from '../memory-abilities.ts'
import { type ConformanceCase, tellSkipped } from './conformance-case.ts'

/** Makes a client over an empty or a shared store; scopes of the kit are new each time. */
export type CreateClient = () => DescribedMemoryClient | Promise<DescribedMemoryClient>

/** What the body of a case works with. */
export interface Kit {
  readonly client: DescribedMemoryClient
  /** A scope that nothing was stored in. */
  readonly scope: string
  /** A word that stands nowhere else. */
  readonly word: string
  /** Writes and asserts that the service took it. */
  store(content: string, options?: StoreOptions): Promise<MemoryWriteResult>
  /** Recalls by the kit's word, waiting for a service that stores later. */
  recall(options?: RecallOptions): Promise<MemoryItem[]>
}

export interface StoreOptions {
  scope?: string
  tags?: string[]
  key?: string
  metadata?: Record<string, string>
}

export interface RecallOptions {
  scope?: string
  query?: string
  limit?: number
  /** Ask again, for a bounded time, until so many are found. */
  expect?: number
}

export type CaseGroup = (createClient: CreateClient) => ConformanceCase[]

const TAKEN = ['written', 'duplicate', 'accepted']
const ATTEMPTS = 40
const PAUSE_MS = 50

/** Defines a case; it is skipped where the client declares that it has not what the case `needs`. */
export function define(
  createClient: CreateClient,
  about: { id: string; name: string; needs?: readonly (keyof MemoryAbilities)[] },
  body: (kit: Kit) => Promise<void>,
): ConformanceCase {
  const { id, name, needs = [] } = about
  return {
    id: `memory/${id}`,
    name,
    needs,
    async run(skip) {
      const client = await createClient()
      try {
        const missing = needs.find((ability) => client.supports?.[ability] === false)
        if (missing) tellSkipped(skip, `The client declares that it has no ${missing}.`)
        else await body(kitFor(client))
      } finally {
        await client.close?.()
      }
    },
  }
}

function kitFor(client: DescribedMemoryClient): Kit {
  const scope = `kit-${randomUUID()}`
  const word = `kit${randomUUID().replaceAll('-', '')}`
  let isStoredLater = false
  return {
    client,
    scope,
    word,
    async store(content, options = {}) {
      const result = await client.writeMemory(content, options.scope ?? scope, options.tags ?? [], {
        ...(options.key !== undefined && { idempotencyKey: options.key }),
        ...(options.metadata && { metadata: options.metadata }),
      })
      assertWriteResult(result)
      assert.ok(
        TAKEN.includes(result.status),
        `a plain write is stored, not “${result.status}”: ${result.error?.message}`,
      )
      isStoredLater ||= result.status === 'accepted'
      return result
    },
    async recall({ scope: other, query = word, limit = 20, expect = 0 } = {}) {
      for (let attempt = 1; ; attempt += 1) {
        const items = await client.recallMemory(query, other ?? scope, limit)
        assertItems(items)
        if (!isStoredLater || items.length >= expect || attempt >= ATTEMPTS) return items
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
      }
    },
  }
}

const STATUSES = [...TAKEN, 'candidate', 'blocked', 'unknown', 'error']

/** The shape that the contract gives to every answer of a write. */
export function assertWriteResult(result: MemoryWriteResult): void {
  assert.ok(typeof result === 'object' && result !== null, 'a write resolves with an object')
  assert.ok(STATUSES.includes(result.status), `the status ${String(result.status)} is one of the contract`)
  assert.ok(result.id === null || typeof result.id === 'string', 'the id is text or null')
  const failed = ['blocked', 'unknown', 'error'].includes(result.status)
  assert.equal(
    result.error !== null,
    failed,
    `error is set exactly when the status (${result.status}) is a failure`,
  )
  if (result.error) assertErrorInfo(result.error)
}

function assertItems(items: MemoryItem[]): void {
  assert.ok(Array.isArray(items), 'recall resolves with a list')
  for (const item of items) {
    assert.equal(typeof item.id, 'string', 'an item has an id')
    assert.equal(typeof item.content, 'string', 'an item has a content')
    assert.equal(typeof item.scope, 'string', 'an item names its scope')
    assert.ok(item.score === null || Number.isFinite(item.score), 'the score is a number or null')
    assert.ok(isObject(item.metadata), 'metadata is an object')
    assert.deepEqual(JSON.parse(JSON.stringify(item)), item, 'an item survives as JSON')
  }
}

/** A failure as the contract has it: a `KgentError`, or its information. */
export function assertErrorInfo(error: unknown): void {
  const info = KgentError.is(error) ? error.info : error
  assert.ok(isObject(info), 'the failure is typed')
  assert.equal(typeof info.code, 'string', 'a failure has a code')
  assert.equal(typeof info.message, 'string', 'a failure has a message')
  assert.equal(typeof info.retryable, 'boolean', 'a failure says whether trying again may help')
  assert.doesNotMatch(String(info.message), /\n\s+at /, 'a failure holds no stack')
}

/** Runs a recall that may fail; a failure must be typed. Null when it failed. */
export async function recallOrTyped(recall: () => Promise<MemoryItem[]>): Promise<MemoryItem[] | null> {
  try {
    const items = await recall()
    assertItems(items)
    return items
  } catch (thrown) {
    if (thrown instanceof assert.AssertionError) throw thrown
    assert.ok(
      KgentError.is(thrown),
      `a recall that fails rejects with a KgentError, not with ${String(thrown)}`,
    )
    assertErrorInfo(thrown)
    return null
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
