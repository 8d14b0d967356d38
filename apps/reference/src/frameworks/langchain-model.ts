import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages'
import type { ChatResult } from '@langchain/core/outputs'
import { convertToOpenAITool } from '@langchain/core/utils/function_calling'
import type { ScriptedModel } from '../scripted/scripted-model.ts'

type Options = Parameters<ScriptedModel['doStream']>[0]
type Prompt = Options['prompt']
type FunctionTool = Extract<NonNullable<Options['tools']>[number], { type: 'function' }>

/** A model of the AI SDK's provider interface as a chat model of LangChain: one model for both loops. */
export class ProviderChatModel extends BaseChatModel {
  /** How often it was asked. */
  steps = 0
  readonly #model: ScriptedModel
  readonly #onWords: (text: string) => void
  #tools: FunctionTool[] = []

  constructor(model: ScriptedModel, onWords: (text: string) => void) {
    super({})
    this.#model = model
    this.#onWords = onWords
  }

  _llmType(): string {
    return 'provider'
  }

  override bindTools(tools: Parameters<NonNullable<BaseChatModel['bindTools']>>[0]): this {
    this.#tools = tools.map((tool) => {
      const { name, description = '', parameters } = convertToOpenAITool(tool as never).function
      return { type: 'function', name, description, inputSchema: parameters as FunctionTool['inputSchema'] }
    })
    return this
  }

  async _generate(messages: BaseMessage[], { signal }: this['ParsedCallOptions']): Promise<ChatResult> {
    this.steps += 1
    const prompt = messages.map(promptMessage)
    const options: Options = { prompt, tools: this.#tools, ...(signal && { abortSignal: signal }) }
    const { stream } = await this.#model.doStream(options)
    const message = await this.#collect(stream)
    return { generations: [{ message, text: message.text }] }
  }

  async #collect(stream: Awaited<ReturnType<ScriptedModel['doStream']>>['stream']): Promise<AIMessage> {
    let content = ''
    const tool_calls: NonNullable<AIMessage['tool_calls']> = []
    const invalid_tool_calls: NonNullable<AIMessage['invalid_tool_calls']> = []
    for await (const part of stream as unknown as AsyncIterable<StreamPart>) {
      if (part.type === 'error') throw part.error
      if (part.type === 'text-delta') {
        content += part.delta
        this.#onWords(part.delta)
      }
      if (part.type === 'text-end') this.#onWords('\n')
      if (part.type === 'tool-call') {
        const call = { id: part.toolCallId, name: part.toolName }
        const args = parse(part.input)
        if (args) tool_calls.push({ ...call, args, type: 'tool_call' })
        else
          invalid_tool_calls.push({ ...call, args: part.input, error: 'not JSON', type: 'invalid_tool_call' })
      }
    }
    return new AIMessage({ content, tool_calls, invalid_tool_calls })
  }
}

type Stream = Awaited<ReturnType<ScriptedModel['doStream']>>['stream']
type StreamPart = Stream extends ReadableStream<infer Part> ? Part : never

function promptMessage(message: BaseMessage): Prompt[number] {
  const { text } = message
  if (ToolMessage.isInstance(message)) {
    const { tool_call_id: toolCallId, name: toolName = '', status } = message
    const output = { type: status === 'error' ? ('error-text' as const) : ('text' as const), value: text }
    return { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] }
  }
  if (AIMessage.isInstance(message)) {
    const calls = (message.tool_calls ?? []).map(({ id = '', name, args }) => ({
      type: 'tool-call' as const,
      toolCallId: id,
      toolName: name,
      input: args,
    }))
    return { role: 'assistant', content: [{ type: 'text', text }, ...calls] }
  }
  return message.type === 'system'
    ? { role: 'system', content: text }
    : { role: 'user', content: [{ type: 'text', text }] }
}

function parse(input: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(input)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}
