import { isMalformed, wrapMalformed } from './malformed-input.ts'

/** The fields of the API's stream events that are read here. */
interface StreamEvent {
  readonly type?: string
  readonly index?: number
  readonly delta?: { readonly type?: string; readonly partial_json?: string }
}

interface HeldInput {
  text: string
  readonly events: string[]
}

/** Reads server-sent events; those that hold an input are held until it is complete, and rewritten if it is no JSON. */
export class InputEvents {
  #unread = ''
  readonly #held = new Map<number | undefined, HeldInput>()

  /** The events that can be passed on after this piece of the stream, each with the empty line that ends it. */
  read(chunk: string): string[] {
    const text = this.#unread + chunk
    const events = text.split(/(?<=\n\r?\n)/)
    const isComplete = /\n\r?\n$/.test(text)
    this.#unread = isComplete ? '' : (events.pop() ?? '')
    return events.flatMap((event) => this.#pass(event))
  }

  /** What is left when the stream ends: a stream that is cut off stays cut off. */
  rest(): string {
    const held = [...this.#held.values()].flatMap(({ events }) => events)
    return [...held, this.#unread].join('')
  }

  #pass(event: string): string[] {
    const { type, index, delta } = parse(event)
    if (type === 'content_block_delta' && delta?.type === 'input_json_delta') {
      const held = this.#held.get(index) ?? { text: '', events: [] }
      held.text += delta.partial_json ?? ''
      held.events.push(event)
      this.#held.set(index, held)
      return []
    }
    if (type !== 'content_block_stop') return [event]
    const held = this.#held.get(index)
    this.#held.delete(index)
    return [...(held ? complete(held, index) : []), event]
  }
}

function complete({ text, events }: HeldInput, index: number | undefined): string[] {
  if (!isMalformed(text)) return events
  const delta = { type: 'input_json_delta', partial_json: JSON.stringify(wrapMalformed(text)) }
  const type = 'content_block_delta'
  return [`event: ${type}\ndata: ${JSON.stringify({ type, index, delta })}\n\n`]
}

function parse(event: string): StreamEvent {
  const data = event
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length))
    .join('\n')
  try {
    return (JSON.parse(data) as StreamEvent | null) ?? {}
  } catch {
    return {}
  }
}
