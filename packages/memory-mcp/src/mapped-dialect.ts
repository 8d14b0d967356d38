import { hash } from 'node:crypto'
import type { JsonObject, JsonValue, MemoryItem } from '@kgent/contracts'
import type { Dialect, Recall, ToolUse } from './dialect.ts'
import type { McpMemoryItems, McpMemoryTools } from './mcp-memory-tools.ts'
import { fillIn, placeholdersIn } from './placeholders.ts'
import { isObject, valueAt } from './value-at.ts'

/** The way to speak to a memory server that a mapping describes. */
export function mappedDialect({ recall, write }: McpMemoryTools): Dialect {
  return {
    tools: [recall.tool, write.tool],
    supports: {
      stores: true,
      idempotencyKeys: write.keepsKeys ?? false,
      metadata: recall.items.metadata !== undefined && placeholdersIn(write.arguments).includes('metadata'),
    },
    recall: (wanted) => use(recall, { ...wanted }),
    items(answer, wanted) {
      const found = valueAt(answer, recall.items.at)
      if (!Array.isArray(found)) return null
      const items = found.map((part) => toItem(part, { places: recall.items, wanted }))
      if (items.includes(null)) return null
      return items.filter((item) => item !== null && item.scope === wanted.scope) as MemoryItem[]
    },
    write: (item) => use(write, { ...item, tags: [...item.tags] }),
    result(answer) {
      const at = (path: string | undefined): JsonValue | undefined =>
        path === undefined ? undefined : valueAt(answer, path)
      const status = at(write.duplicate) ? 'duplicate' : (write.success ?? 'written')
      return { status, id: asId(at(write.id)), error: null }
    },
  }
}

function use(mapping: { tool: string; arguments: JsonObject }, values: JsonObject): ToolUse {
  return { tool: mapping.tool, arguments: fillIn(mapping.arguments, values) as JsonObject }
}

/** Null where the item has no text; an item that does not say its scope, as it should, is of no scope. */
function toItem(
  part: JsonValue,
  { places, wanted }: { places: McpMemoryItems; wanted: Recall },
): MemoryItem | null {
  const at = (path: string | undefined): JsonValue | undefined =>
    path === undefined ? undefined : valueAt(part, path)
  const content = at(places.content)
  if (typeof content !== 'string') return null
  const scope = places.scope === undefined ? wanted.scope : at(places.scope)
  const [score, metadata] = [at(places.score), at(places.metadata)]
  return {
    id: asId(at(places.id)) ?? hash('sha256', content),
    content,
    scope: typeof scope === 'string' ? scope : '',
    score: typeof score === 'number' ? score : null,
    metadata: isObject(metadata) ? metadata : {},
  }
}

function asId(value: JsonValue | undefined): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}
