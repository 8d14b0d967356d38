import type { AdapterTranscript, ScriptedTurn } from '@kgent/tools-core/testing'
import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage, type BaseMessage } from '@langchain/core/messages'
import type { ChatResult } from '@langchain/core/outputs'
import { convertToOpenAITool } from '@langchain/core/utils/function_calling'

type Sent = AdapterTranscript['toolsSent'][number]

/** A chat model that plays a script, and notes what it was sent. */
export class FakeModel extends BaseChatModel {
  toolsSent: Sent[] = []
  prompts: BaseMessage[][] = []
  readonly #turns: ScriptedTurn[]

  constructor(turns: readonly ScriptedTurn[]) {
    super({})
    this.#turns = [...turns]
  }

  _llmType(): string {
    return 'fake'
  }

  override bindTools(tools: Parameters<NonNullable<BaseChatModel['bindTools']>>[0]): this {
    this.toolsSent = tools.map((tool) => {
      const { name, description = '', parameters } = convertToOpenAITool(tool as never).function
      return { name, description, schema: parameters as Sent['schema'] }
    })
    return this
  }

  async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    this.prompts.push(messages)
    const turn = this.#turns.shift() ?? { text: 'The script is over.' }
    const message = new AIMessage({ content: turn.text ?? '', ...callsOf(turn) })
    return { generations: [{ message, text: turn.text ?? '' }] }
  }
}

/** As LangChain's own providers do it: arguments that do not parse make an invalid call. */
function callsOf({ calls = [] }: ScriptedTurn) {
  const read = calls.map(({ id, name, input }) => ({ id, name, input, args: parse(input) }))
  return {
    tool_calls: read
      .filter(({ args }) => args !== undefined)
      .map(({ id, name, args }) => ({
        type: 'tool_call' as const,
        id,
        name,
        args: args as Record<string, unknown>,
      })),
    invalid_tool_calls: read
      .filter(({ args }) => args === undefined)
      .map(({ id, name, input }) => ({
        type: 'invalid_tool_call' as const,
        id,
        name,
        args: input,
        error: 'not JSON',
      })),
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
