import type OpenAI from 'openai'

/** The part of the package's runners that is used here; alike with and without streaming. */
export interface OpenaiRunner {
  /** The conversation so far. */
  readonly messages: readonly OpenAI.Chat.Completions.ChatCompletionMessageParam[]
  /** Ends when the runner is aborted, by its own `abort()` or by the signal of the request. */
  readonly controller: { readonly signal: AbortSignal }
}

/** A function call of the model, in its message. */
export type FunctionToolCall = OpenAI.Chat.Completions.ChatCompletionMessageFunctionToolCall
