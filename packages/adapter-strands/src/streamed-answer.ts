import {
  type AgentStreamEvent,
  type ContentBlock,
  type InvokeModelResult,
  Message,
  type ModelMetadataEvent,
  type ModelStreamEvent,
  type StopReason,
  ToolUseBlock,
} from '@strands-agents/sdk'

/** An answer of the model as its stream tells it, with the calls that Strands could not read. */
export class StreamedAnswer {
  readonly #content: ContentBlock[] = []
  #call: { name: string; toolUseId: string; text: string } | null = null
  #isBroken = false
  #stopReason: StopReason | null = null
  #metadata: ModelMetadataEvent | null = null

  see(event: AgentStreamEvent): void {
    if (event.type === 'modelStreamUpdateEvent') this.#seePart(event.event)
    if (event.type === 'contentBlockEvent') this.#seeBlock(event.contentBlock)
  }

  /** The answer with broken input as text; null when none was broken, or the answer did not come to its end. */
  withBrokenInput(): InvokeModelResult['result'] | null {
    if (!this.#isBroken || this.#stopReason === null || this.#stopReason === 'maxTokens') return null
    return {
      message: new Message({ role: 'assistant', content: this.#content }),
      stopReason: this.#stopReason,
      ...(this.#metadata && { metadata: this.#metadata }),
    }
  }

  #seePart(part: ModelStreamEvent): void {
    if (part.type === 'modelContentBlockStartEvent') {
      this.#endCall()
      if (part.start) this.#call = { ...part.start, text: '' }
    } else if (part.type === 'modelContentBlockDeltaEvent') {
      if (this.#call && part.delta.type === 'toolUseInputDelta') this.#call.text += part.delta.input
    } else if (part.type === 'modelMessageStopEvent') {
      this.#endCall()
      this.#stopReason = part.stopReason
    } else if (part.type === 'modelMetadataEvent') {
      this.#metadata = part as ModelMetadataEvent
    }
  }

  /** After a call that it could not read, Strands makes the next block of text that same call, without input. */
  #seeBlock(block: ContentBlock): void {
    const isCall = block.type === 'toolUseBlock'
    if (isCall === (this.#call !== null)) this.#content.push(block)
    this.#call = null
  }

  /** A call whose block never came was not readable. */
  #endCall(): void {
    if (!this.#call) return
    const { name, toolUseId, text } = this.#call
    this.#content.push(new ToolUseBlock({ name, toolUseId, input: text }))
    this.#isBroken = true
    this.#call = null
  }
}
