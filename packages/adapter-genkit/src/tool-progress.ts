import type { ToolProgress } from '@kgent/tools-core'

/** What a call says while it runs: a part of a chunk with the role `tool`. */
export interface ToolProgressPart {
  custom: {
    toolProgress: {
      tool: string
      /** Null where the model gives calls no id. */
      toolCallId: string | null
      /** What the call is doing. */
      message: string
      /** Counts. */
      counts: ToolProgress['data'] | null
    }
  }
}

export function progressPart(
  { message, data }: ToolProgress,
  { tool, toolCallId }: { tool: string; toolCallId: string | undefined },
): ToolProgressPart {
  return { custom: { toolProgress: { tool, toolCallId: toolCallId ?? null, message, counts: data ?? null } } }
}
