import { KgentError, type MemoryItem, memoryKey } from '@kgent/memory'
import type { DescribedMemoryClient } from '@kgent/memory/testing'

interface Stored extends MemoryItem {
  key: string
}

/** What can be wrong with a client, as changes to a sound one. */
export interface Breakage {
  matches?: (item: Stored, asked: { query: string; scope: string }) => boolean
  limit?: (limit: number) => number
  keyOf?: (scope: string, content: string, given: string | undefined) => string
  stored?: (content: string) => string
  refuses?: (content: string, scope: string) => boolean
  obeysAbort?: boolean
  keepsMetadata?: boolean
  wrapRecall?: (recall: () => MemoryItem[]) => Promise<MemoryItem[]>
  /** Waits between looking for a key and storing. */
  slow?: boolean
  overrides?: Partial<DescribedMemoryClient>
}

/** A small sound client in memory, broken as asked. */
export function clientWith(breakage: Breakage = {}): DescribedMemoryClient {
  const items: Stored[] = []
  const matches =
    breakage.matches ?? ((item, { query, scope }) => item.scope === scope && item.content.includes(query))
  const limitOf = breakage.limit ?? ((limit) => (Number.isInteger(limit) && limit > 0 ? limit : 0))
  const keyOf =
    breakage.keyOf ?? ((scope, content, given) => `${scope}\0${given ?? memoryKey(scope, content)}`)
  const refuses =
    breakage.refuses ?? ((content, scope) => content.trim() === '' || scope === '' || !content.isWellFormed())
  const isCancelled = (signal?: AbortSignal) => breakage.obeysAbort !== false && signal?.aborted === true
  const answer = breakage.wrapRecall ?? (async (recall) => recall())
  const rejected = { code: 'memory_rejected', message: 'Refused.', retryable: false } as const
  return {
    supports: { stores: true, idempotencyKeys: true, metadata: true },
    async recallMemory(query, scope, limit, { signal } = {}) {
      if (isCancelled(signal)) throw new KgentError('aborted', 'Cancelled.')
      return answer(() =>
        items
          .filter((item) => matches(item, { query, scope }))
          .slice(0, limitOf(limit))
          .map(({ key: _, ...item }) => item),
      )
    },
    async writeMemory(content, scope, _tags, { signal, idempotencyKey, metadata = {} } = {}) {
      if (isCancelled(signal)) return { status: 'error', id: null, error: { ...rejected, code: 'aborted' } }
      if (refuses(content, scope)) return { status: 'error', id: null, error: rejected }
      const key = keyOf(scope, content, idempotencyKey)
      const known = items.find((item) => item.key === key)
      if (breakage.slow) await new Promise((resolve) => setImmediate(resolve))
      if (known) return { status: 'duplicate', id: known.id, error: null }
      const id = String(items.length + 1)
      const text = breakage.stored?.(content) ?? content
      items.push({
        id,
        content: text,
        scope,
        score: null,
        metadata: breakage.keepsMetadata === false ? {} : metadata,
        key,
      })
      return { status: 'written', id, error: null }
    },
    async close() {},
    ...breakage.overrides,
  }
}

const sameScope = (item: Stored, query: string) => item.content.includes(query)

/** Clients with one fault each, and a case that must notice it. */
export const BROKEN: { fault: string; noticedBy: string[]; create: () => DescribedMemoryClient }[] = [
  {
    fault: 'stores nothing',
    noticedBy: ['round-trip/content'],
    create: () => clientWith({ matches: () => false }),
  },
  {
    fault: 'ignores the scope',
    noticedBy: ['isolation/other', 'isolation/same-content', 'keys/scope'],
    create: () => clientWith({ matches: (item, { query }) => sameScope(item, query) }),
  },
  {
    fault: 'takes a scope for a beginning',
    noticedBy: ['isolation/prefix', 'isolation/empty'],
    create: () =>
      clientWith({
        matches: (item, { query, scope }) => item.scope.startsWith(scope) && sameScope(item, query),
      }),
  },
  {
    fault: 'takes a longer scope for a shorter one',
    noticedBy: ['isolation/longer', 'isolation/child', 'isolation/blank'],
    create: () =>
      clientWith({
        matches: (item, { query, scope }) => scope.startsWith(item.scope) && sameScope(item, query),
      }),
  },
  {
    fault: 'ignores case in scopes',
    noticedBy: ['isolation/case'],
    create: () =>
      clientWith({
        matches: (item, { query, scope }) =>
          item.scope.toLowerCase() === scope.toLowerCase() && sameScope(item, query),
      }),
  },
  {
    fault: 'trims scopes',
    noticedBy: ['isolation/blank'],
    create: () =>
      clientWith({
        matches: (item, { query, scope }) => item.scope === scope.trim() && sameScope(item, query),
      }),
  },
  {
    fault: 'takes a scope for a pattern',
    noticedBy: ['isolation/star', 'isolation/percent', 'isolation/underscore'],
    create: () =>
      clientWith({
        matches: (item, { query, scope }) => {
          const pattern = scope.replace(/[%*]/g, '.*').replaceAll('_', '.')
          return new RegExp(`^${pattern}$`, 'u').test(item.scope) && sameScope(item, query)
        },
      }),
  },
  {
    fault: 'normalises scopes',
    noticedBy: ['isolation/compatible', 'isolation/accents'],
    create: () =>
      clientWith({
        matches: (item, { query, scope }) =>
          item.scope.normalize('NFKC') === scope.normalize('NFKC') && sameScope(item, query),
      }),
  },
  {
    fault: 'normalises content',
    noticedBy: ['round-trip/unicode'],
    create: () => clientWith({ stored: (content) => content.normalize('NFKC') }),
  },
  {
    fault: 'changes line ends',
    noticedBy: ['round-trip/many-lines'],
    create: () => clientWith({ stored: (content) => content.replaceAll('\r\n', '\n') }),
  },
  {
    fault: 'drops metadata',
    noticedBy: ['round-trip/metadata'],
    create: () => clientWith({ keepsMetadata: false }),
  },
  {
    fault: 'rejects when nothing is found',
    noticedBy: ['round-trip/none'],
    create: () =>
      clientWith({
        wrapRecall: async (recall) => {
          const found = recall()
          if (found.length === 0) throw new KgentError('not_found', 'Nothing.')
          return found
        },
      }),
  },
  {
    fault: 'loses writes at the same time',
    noticedBy: ['round-trip/concurrent'],
    create: () => {
      let isBusy = false
      const inner = clientWith()
      return {
        ...inner,
        async writeMemory(...call) {
          const isLost = isBusy
          isBusy = true
          await new Promise((resolve) => setImmediate(resolve))
          const result = isLost
            ? ({ status: 'written', id: 'lost', error: null } as const)
            : await inner.writeMemory(...call)
          isBusy = false
          return result
        },
      }
    },
  },
  {
    fault: 'ignores limits',
    noticedBy: ['limit/at-most', 'limit/zero', 'limit/negative', 'limit/fraction'],
    create: () => clientWith({ limit: () => 1_000 }),
  },
  {
    fault: 'fails without a type on odd limits',
    noticedBy: ['limit/nothing', 'limit/no-number'],
    create: () =>
      clientWith({
        limit: (limit) => {
          if (!Number.isFinite(limit)) throw new TypeError('bad limit')
          return limit
        },
      }),
  },
  {
    fault: 'refuses huge limits',
    noticedBy: ['limit/huge'],
    create: () => clientWith({ limit: (limit) => (limit > 1_000 ? 0 : limit) }),
  },
  {
    fault: 'ignores keys',
    noticedBy: ['keys/again', 'keys/together', 'keys/default'],
    create: () => clientWith({ keyOf: () => String(Math.random()) }),
  },
  {
    fault: 'stores twice when two look at once',
    noticedBy: ['keys/together'],
    create: () => clientWith({ slow: true }),
  },
  {
    fault: 'keeps keys over all scopes',
    noticedBy: ['keys/scope'],
    create: () => clientWith({ keyOf: (scope, content, given) => given ?? memoryKey(scope, content) }),
  },
  {
    fault: 'has one key for all',
    noticedBy: ['keys/different'],
    create: () => clientWith({ keyOf: (scope) => scope }),
  },
  {
    fault: 'takes the text itself for the default key',
    noticedBy: ['keys/default'],
    create: () => clientWith({ keyOf: (scope, content, given) => given ?? `${scope}\0${content}` }),
  },
  {
    fault: 'stores empty texts',
    noticedBy: ['failure/empty'],
    create: () => clientWith({ refuses: () => false }),
  },
  {
    fault: 'rejects odd writes',
    noticedBy: ['failure/odd-writes'],
    create: () =>
      clientWith({
        overrides: {
          async writeMemory(content) {
            if (!content.isWellFormed()) throw new TypeError('bad text')
            return { status: 'written', id: '1', error: null }
          },
        },
      }),
  },
  {
    fault: 'takes a query for a pattern',
    noticedBy: ['failure/odd-queries'],
    create: () =>
      clientWith({
        wrapRecall: async (recall) => recall(),
        overrides: { recallMemory: async (query) => [new RegExp(query)].flatMap(() => []) },
      }),
  },
  {
    fault: 'does not obey an abort',
    noticedBy: ['failure/aborted-write'],
    create: () => clientWith({ obeysAbort: false }),
  },
  {
    fault: 'rejects an aborted recall with what it caught',
    noticedBy: ['failure/aborted-recall'],
    create: () =>
      clientWith({
        overrides: {
          async recallMemory(_query, _scope, _limit, { signal } = {}) {
            signal?.throwIfAborted()
            return []
          },
        },
      }),
  },
  {
    fault: 'rejects an aborted write',
    noticedBy: ['failure/abort-in-flight'],
    create: () =>
      clientWith({
        overrides: {
          async writeMemory(_content, _scope, _tags, { signal } = {}) {
            await new Promise((resolve) => setImmediate(resolve))
            signal?.throwIfAborted()
            return { status: 'written', id: '1', error: null }
          },
        },
      }),
  },
  {
    fault: 'cannot be closed twice',
    noticedBy: ['failure/close-twice'],
    create: () => {
      let isClosed = false
      return clientWith({
        overrides: {
          async close() {
            if (isClosed) throw new Error('closed')
            isClosed = true
          },
        },
      })
    },
  },
]
