import { type BoundTool, type ToolProgress, toModelText } from '@kgent/tools-core'
import {
  CallbackManager,
  type CallbackManagerForToolRun,
  parseCallbackConfigArg,
} from '@langchain/core/callbacks/manager'
import { ToolMessage } from '@langchain/core/messages'
import type { RunnableConfig } from '@langchain/core/runnables'
import { StructuredTool } from '@langchain/core/tools'

/** What LangChain and LangGraph add to the configuration of a tool call; all of it may be absent. */
interface CallConfig extends RunnableConfig {
  toolCall?: { id?: string }
  /** LangGraph's channel of the stream mode `custom`. */
  writer?: (chunk: unknown) => void
}

/** A bound tool in LangChain's form. What the model sent goes to the core as it is, and the core's answer to the model. */
export class KgentTool extends StructuredTool {
  readonly name: string
  readonly description: string
  /** JSON Schema as models are sent it. */
  readonly schema: Record<string, unknown>
  readonly #tool: BoundTool

  constructor(tool: BoundTool, profile: 'closed' | 'strict') {
    super({ metadata: { kgent: tool.name } })
    this.#tool = tool
    this.name = tool.name
    this.description = tool.description
    this.schema = tool.jsonSchema({ profile, target: 'draft-07' }) as Record<string, unknown>
  }

  static override lc_name(): string {
    return 'KgentTool'
  }

  /**
   * What `StructuredTool.call` does, without its validation, which throws: the core validates, and says what to mend.
   * Tracers hear of the call as of any other.
   */
  override async call(input: unknown, given?: unknown, tags?: string[]): Promise<never> {
    const config = parseCallbackConfigArg(given as RunnableConfig) as CallConfig
    const id = config.toolCall?.id
    const manager = CallbackManager.configure(
      config.callbacks,
      this.callbacks,
      config.tags ?? tags,
      this.tags,
      config.metadata,
      this.metadata,
      { verbose: this.verbose },
    )
    const shown = typeof input === 'string' ? input : (JSON.stringify(input) ?? '')
    const { runId, runName = this.name } = config
    const run = await manager?.handleToolStart(
      this.toJSON(),
      shown,
      runId,
      undefined,
      undefined,
      undefined,
      runName,
    )
    const answer = await this.answer(input, { id, config })
    await run?.handleToolEnd(answer)
    return answer as never
  }

  protected _call(
    input: unknown,
    _run?: CallbackManagerForToolRun,
    config?: RunnableConfig,
  ): Promise<string | ToolMessage> {
    return this.answer(input, { id: undefined, config: config ?? {} })
  }

  /** A message with the call's id where there is one; else the text that a model reads. */
  private async answer(
    input: unknown,
    { id, config }: { id: string | undefined; config: CallConfig },
  ): Promise<string | ToolMessage> {
    const result = await this.#tool.call(input, {
      toolCallId: id,
      signal: config.signal,
      onProgress: (progress) => tell(config, { name: this.name, id, progress }),
    })
    const content = toModelText(result)
    if (id === undefined) return content
    const status = result.ok ? 'success' : 'error'
    return new ToolMessage({ content, tool_call_id: id, name: this.name, status, artifact: result })
  }
}

function tell(
  { writer }: CallConfig,
  { name, id, progress }: { name: string; id: string | undefined; progress: ToolProgress },
): void {
  if (typeof writer === 'function')
    writer({ type: 'tool_progress', tool: name, toolCallId: id ?? null, ...progress })
}
