import { hash } from 'node:crypto'
import type { JsonObject, JsonValue, MemoryItem } from '@kgent/contracts'
import type { Dialect, NewItem, Recall } from './dialect.ts'
import { rankByWords } from './rank-by-words.ts'
import { isObject, valueAt } from './value-at.ts'

/** Sets our entities apart from those that others keep in the same graph. */
const PREFIX = 'kgent-memory:'

/**
 * The way to speak to `@modelcontextprotocol/server-memory`: an item is an entity whose type carries the scope and whose
 * name the key, so that an equal key is found by the server. Its search knows no ranking; the items of a scope are
 * ranked here.
 */
export function serverMemoryDialect(): Dialect {
  return {
    tools: ['create_entities', 'search_nodes'],
    supports: { stores: true, idempotencyKeys: true, metadata: true },
    recall: ({ scope }) => ({ tool: 'search_nodes', arguments: { query: PREFIX + scope } }),
    items(answer, recall) {
      const entities = valueAt(answer, 'entities')
      if (!Array.isArray(entities)) return null
      const items = entities.map((entity) => toItem(entity, recall)).filter((item) => item !== null)
      return rankByWords(items, recall.query)
    },
    write: (item) => ({ tool: 'create_entities', arguments: { entities: [toEntity(item)] } }),
    result(answer, item) {
      // The server names the entities that are new: none when it has one of this name.
      const created = valueAt(answer, 'entities') ?? answer
      const isDuplicate = Array.isArray(created) && created.length === 0
      return { status: isDuplicate ? 'duplicate' : 'written', id: nameOf(item), error: null }
    },
  }
}

function nameOf({ scope, key }: NewItem): string {
  return PREFIX + hash('sha256', `${scope}\0${key}`)
}

function toEntity(item: NewItem): JsonObject {
  const about = { tags: [...item.tags], createdAt: new Date().toISOString(), metadata: item.metadata }
  return {
    name: nameOf(item),
    entityType: PREFIX + item.scope,
    observations: [item.content, JSON.stringify(about)],
  }
}

/** Null for whatever is not exactly of this scope: the server's search takes parts of words, in either case. */
function toItem(entity: JsonValue, { scope }: Recall): MemoryItem | null {
  const [name, type, content, about] = ['name', 'entityType', 'observations.0', 'observations.1'].map(
    (path) => valueAt(entity, path),
  )
  if (type !== PREFIX + scope || typeof name !== 'string' || typeof content !== 'string') return null
  return { id: name, content, scope, score: null, metadata: aboutItem(about) }
}

function aboutItem(text: JsonValue | undefined): MemoryItem['metadata'] {
  try {
    const about: JsonValue = JSON.parse(String(text))
    if (!isObject(about)) return {}
    const { metadata, ...own } = about
    return { ...(isObject(metadata) ? metadata : {}), ...own }
  } catch {
    // Edited by somebody else: the text itself is still an item.
    return {}
  }
}
