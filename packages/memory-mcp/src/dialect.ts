import type { JsonObject, JsonValue, MemoryItem, MemoryWriteResult } from '@kgent/contracts'

/** What is asked of a memory server. */
export interface Recall {
  readonly query: string
  readonly scope: string
  readonly limit: number
}

/** What a memory server is to keep. */
export interface NewItem {
  readonly content: string
  readonly scope: string
  readonly tags: readonly string[]
  readonly key: string
  readonly metadata: JsonObject
}

export interface ToolUse {
  readonly tool: string
  readonly arguments: JsonObject
}

/** How one kind of memory server is spoken to: which tools, with which arguments, and what their answers mean. */
export interface Dialect {
  /** The tools that the server must have. */
  readonly tools: readonly string[]
  readonly supports: {
    readonly stores: true
    /** Two writes with one key are one item, also when the first answer was lost. */
    readonly idempotencyKeys: boolean
    /** What is written as metadata comes back. */
    readonly metadata: boolean
  }
  recall(recall: Recall): ToolUse
  /** Items of exactly the scope. Null: the answer is not understood. */
  items(answer: JsonValue, recall: Recall): MemoryItem[] | null
  write(item: NewItem): ToolUse
  /** What a write that the server did not report as failed has come to. */
  result(answer: JsonValue, item: NewItem): MemoryWriteResult
}
