import type { BoundTool, CallOptions, ToolProgress, ToolResult } from '@kgent/tools-core'
import {
  type JSONSchema,
  Tool,
  type ToolContext,
  type ToolSpec,
  ToolStreamEvent,
  type ToolStreamGenerator,
} from '@strands-agents/sdk'
import { answerFromInterrupt } from './approval.ts'
import { inputAsSent } from './readable-input.ts'
import type { StrandsOptions } from './strands-tools.ts'
import { toResultBlock } from './to-result-block.ts'

/** A bound tool in the place of a Strands tool. Input goes on as it came: only the core validates. */
export class KgentTool extends Tool {
  readonly name: string
  readonly description: string
  readonly toolSpec: ToolSpec
  readonly #tool: BoundTool
  readonly #isNative: boolean

  constructor(tool: BoundTool, { approval, profile }: Required<StrandsOptions>) {
    super()
    this.name = tool.name
    this.description = tool.description
    this.toolSpec = {
      name: tool.name,
      description: tool.description,
      inputSchema: tool.jsonSchema({ profile, target: 'draft-07' }) as JSONSchema,
    }
    this.#tool = tool
    this.#isNative = approval === 'native'
  }

  /** Progress as stream events, then the result. Throws nothing but the interrupt that asks a person. */
  async *stream(context: ToolContext): ToolStreamGenerator {
    const { toolUseId, input } = context.toolUse
    const raw = inputAsSent(input)
    const approval = this.#isNative ? await answerFromInterrupt(this.#tool, raw, context) : null
    const options: CallOptions = {
      toolCallId: toolUseId,
      signal: context.cancelSignal,
      ...(approval && { approval }),
    }
    const result = yield* withProgress((onProgress) => this.#tool.call(raw, { ...options, onProgress }))
    return toResultBlock(toolUseId, result)
  }
}

/** Runs a call and yields its progress as it comes; the latest only, when the reader is slow. */
async function* withProgress(
  start: (onProgress: (progress: ToolProgress) => void) => Promise<ToolResult>,
): AsyncGenerator<ToolStreamEvent, ToolResult, undefined> {
  let latest: ToolProgress | null = null
  let wake = () => {}
  const result = start((progress) => {
    latest = progress
    wake()
  })
  const ended = result.then(() => true as const)
  for (;;) {
    const more = new Promise<false>((resolve) => {
      wake = () => resolve(false)
    })
    if (latest === null && (await Promise.race([more, ended]))) return result
    if (latest === null) continue
    const data: ToolProgress = latest
    latest = null
    yield new ToolStreamEvent({ data })
  }
}
