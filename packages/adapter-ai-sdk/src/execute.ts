import type { BoundTool, CallOptions, ToolProgress } from '@kgent/tools-core'
import { inputAsSent } from './pass-through-schema.ts'
import { type ToolOutput, unfinished } from './tool-output.ts'

/**
 * Runs a call as the SDK wants it: progress first (preliminary results; the latest only, when the reader is slow), the
 * result last. Never throws, because `call` never rejects.
 */
export async function* execute(
  tool: BoundTool,
  input: unknown,
  options: CallOptions,
): AsyncGenerator<ToolOutput, void, undefined> {
  let latest: ToolProgress | null = null
  let ended = false
  let wake = () => {}
  const onProgress = (progress: ToolProgress) => {
    latest = progress
    wake()
  }
  const result = tool.call(inputAsSent(input), { ...options, onProgress }).finally(() => {
    ended = true
    wake()
  })
  while (latest !== null || !ended) {
    if (latest === null) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    } else {
      const progress: ToolProgress = latest
      latest = null
      yield unfinished(progress)
    }
  }
  yield await result
}
