import type { ScriptedTurn } from '@kgent/tools-core/testing'
import {
  type BaseModelConfig,
  type Message,
  Model,
  type ModelStreamEvent,
  type StreamOptions,
} from '@strands-agents/sdk'

/** A model of the framework that answers with the turns of a script, one a request, and keeps what it was sent. */
export class ScriptedModel extends Model {
  readonly requests: { messages: Message[]; options: StreamOptions | undefined }[] = []
  readonly #turns: readonly ScriptedTurn[]

  constructor(turns: readonly ScriptedTurn[]) {
    super()
    this.#turns = turns
  }

  override updateConfig(): void {}

  override getConfig(): BaseModelConfig {
    return { modelId: 'scripted', contextWindowLimit: 100_000 }
  }

  override async *stream(messages: Message[], options?: StreamOptions): AsyncGenerator<ModelStreamEvent> {
    const turn = this.#turns[this.requests.length]
    this.requests.push({ messages: [...messages], options })
    if (!turn) throw new Error(`The script has no turn ${this.requests.length}.`)
    const { calls = [], text } = turn
    yield { type: 'modelMessageStartEvent', role: 'assistant' }
    for (const { id, name, input } of calls) {
      yield { type: 'modelContentBlockStartEvent', start: { type: 'toolUseStart', name, toolUseId: id } }
      yield { type: 'modelContentBlockDeltaEvent', delta: { type: 'toolUseInputDelta', input } }
      yield { type: 'modelContentBlockStopEvent' }
    }
    if (text !== undefined) {
      yield { type: 'modelContentBlockStartEvent' }
      yield { type: 'modelContentBlockDeltaEvent', delta: { type: 'textDelta', text } }
      yield { type: 'modelContentBlockStopEvent' }
    }
    yield { type: 'modelMessageStopEvent', stopReason: calls.length > 0 ? 'toolUse' : 'endTurn' }
  }
}
