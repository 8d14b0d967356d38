import type { JsonObject, ToolResult } from '@kgent/contracts'
import type { BoundTool } from '@kgent/tools-core'
import { printable } from './screen.ts'

const MAX_NOTE_CHARS = 200

/** What a live view wants to know beyond the events, which hold no arguments and no content. */
export interface CallNotes {
  /** The same tools; watching changes nothing about their calls. */
  readonly tools: readonly BoundTool[]
  /** What a call is about, in a few words for the person at the terminal. */
  noteOf(toolCallId: unknown): string
  /** Sandbox paths below `deliverables/` that were written, in order. */
  readonly deliverables: readonly string[]
}

/** Notes what the calls of these tools are about, and what they deliver. */
export function watchTools(tools: readonly BoundTool[]): CallNotes {
  const notes = new Map<string, string>()
  const deliverables: string[] = []
  return {
    tools: tools.map((tool) => ({
      ...tool,
      async call(input, options) {
        if (options?.toolCallId !== undefined) notes.set(options.toolCallId, describe(input))
        const result = await tool.call(input, options)
        const path = deliveredBy(result)
        if (path !== null && !deliverables.includes(path)) deliverables.push(path)
        return result
      },
    })),
    noteOf: (toolCallId) => notes.get(String(toolCallId)) ?? '',
    deliverables,
  }
}

/** The argument that says most: a pattern, a path, a query, a skill. */
function describe(input: unknown): string {
  const { pattern, path, query, skillId, content } = (
    typeof input === 'object' ? (input ?? {}) : {}
  ) as JsonObject
  const said = typeof pattern === 'string' ? `/${pattern}/` : (path ?? query ?? skillId ?? content)
  const note = typeof said === 'string' ? printable(said).replace(/\s+/g, ' ') : ''
  return note.length > MAX_NOTE_CHARS ? `${note.slice(0, MAX_NOTE_CHARS - 1)}…` : note
}

function deliveredBy({ ok, data }: ToolResult): string | null {
  const written = ok && typeof data?.path === 'string' && typeof data.previousSha256 !== 'undefined'
  return written && String(data?.path).startsWith('deliverables/') ? String(data?.path) : null
}
