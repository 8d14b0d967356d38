import type { ToolProgress } from '@kgent/tools-core'

/** What a call says while it runs: a chunk of the agent's stream, never of its memory. */
export interface ToolProgressChunk {
  type: 'data-tool-progress'
  transient: true
  data: {
    tool: string
    /** Null where Mastra gives the tool none. */
    toolCallId: string | null
    /** What the call is doing. */
    message: string
    /** Counts. */
    counts: ToolProgress['data'] | null
  }
}

/** The part of Mastra's `ToolStream` that is used here. */
export interface ProgressWriter {
  custom(chunk: ToolProgressChunk): Promise<void>
}

/** Progress goes to the stream; one that is closed or broken does not harm the call. */
export function progressTo(
  writer: ProgressWriter | undefined,
  { tool, toolCallId }: { tool: string; toolCallId: string | undefined },
) {
  let written = Promise.resolve()
  return {
    show({ message, data }: ToolProgress): void {
      const chunk: ToolProgressChunk = {
        type: 'data-tool-progress',
        transient: true,
        data: { tool, toolCallId: toolCallId ?? null, message, counts: data ?? null },
      }
      written = written.then(() => writer?.custom(chunk)).catch(() => {})
    },
    /** Resolves when everything has been handed over, so that no progress comes after the result. */
    shown: () => written,
  }
}
