import type { JsonSchema } from '@kgent/tools-core'
import type { ScriptedTurn } from '@kgent/tools-core/testing'
import {
  type GenerateRequest,
  type GenerateResponse,
  type GenerateResponseChunk,
  type Genkit,
  genkit,
  type MessageData,
  type Part,
  type ToolRequestPart,
} from 'genkit'

export const WAYS = ['generate', 'generateStream'] as const

/** The two ways into the loop. */
export type Way = (typeof WAYS)[number]

/** What came of one way into the loop. */
export interface Answer {
  text: string
  messages: MessageData[]
  /** The calls that wait for a person. */
  interrupts: ToolRequestPart[]
}

export interface ScriptedGenkit {
  /** The requests that the model was sent. */
  requests: GenerateRequest[]
  run(options?: object): Promise<Answer>
  /** The tools of the first request. */
  toolsSent(): { name: string; description: string; inputSchema: JsonSchema }[]
  /** The tool results in the last request, in order. */
  results(): { name: string; ref: string | null; output: unknown }[]
}

export interface ScriptedGenkitOptions {
  way: Way
  turns: readonly ScriptedTurn[]
  /** `tools` and `use` of every run. */
  settings: object
  /** Models of some providers give calls no id. */
  withoutIds?: boolean
  /** Default: a stable instance. */
  ai?: Genkit
  onChunk?: (chunk: GenerateResponseChunk) => void
}

/** A real Genkit with a model of its own that plays a script. */
export function scriptedGenkit(options: ScriptedGenkitOptions): ScriptedGenkit {
  const { way, settings, onChunk, ai = genkit({}) } = options
  const requests: GenerateRequest[] = []
  const model = defineModel(ai, requests, options)
  return {
    requests,
    async run(more = {}) {
      const input = { model, prompt: 'Do it.', ...settings, ...more }
      if (way === 'generate') return answerOf(await ai.generate(input))
      const { stream, response } = ai.generateStream(input)
      response.catch(() => {})
      for await (const chunk of stream) onChunk?.(chunk)
      return answerOf(await response)
    },
    toolsSent: () =>
      (requests[0]?.tools ?? []).map(({ name, description, inputSchema }) => ({
        name,
        description,
        inputSchema: inputSchema as JsonSchema,
      })),
    results: () =>
      (requests.at(-1)?.messages ?? [])
        .flatMap(({ content }) => content)
        .flatMap(({ toolResponse }) => (toolResponse ? [toolResponse] : []))
        .map(({ name, ref = null, output }) => ({ name, ref, output })),
  }
}

function answerOf({ text, messages, interrupts }: GenerateResponse): Answer {
  return { text, messages, interrupts }
}

function defineModel(ai: Genkit, requests: GenerateRequest[], options: ScriptedGenkitOptions) {
  const { turns, withoutIds = false } = options
  return ai.defineModel(
    { name: 'scripted', supports: { tools: true, multiturn: true } },
    async (request, sendChunk) => {
      const turn = turns[requests.length]
      requests.push(structuredClone(request))
      if (!turn) throw new Error(`The script has no turn ${requests.length}.`)
      const content = contentOf(turn, withoutIds)
      sendChunk?.({ content })
      return { message: { role: 'model', content }, finishReason: 'stop' }
    },
  )
}

function contentOf({ calls = [], text }: ScriptedTurn, withoutIds: boolean): Part[] {
  return [
    ...(text === undefined ? [] : [{ text }]),
    ...calls.map(({ id, name, input }) => ({
      toolRequest: { name, input: parsed(input), ...(withoutIds ? {} : { ref: id }) },
    })),
  ]
}

/** As a plugin does that does not throw: what is no JSON stays text. */
function parsed(input: string): unknown {
  try {
    return JSON.parse(input)
  } catch {
    return input
  }
}
