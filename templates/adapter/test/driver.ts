import type { AdapterDriver } from '@kgent/tools-core/testing'
import { toyTools } from '../src/index.ts'
import { runToyAgent } from './toy-framework.ts'

/** Plays the kit's scenarios through the real framework, with a model that follows a script. */
export const driver: AdapterDriver = {
  capabilities: {
    callIds: true,
    nativeApproval: false,
    progress: false,
    abort: true,
    parallelCalls: true,
    recordsUnknownTools: false,
    recordsMalformedInput: true,
    schemaProfile: 'closed',
  },
  async run({ tools, turns, signal }) {
    const script = [...turns]
    let sent: ReturnType<typeof toyTools> = []
    const model = (given: typeof sent) => {
      sent = given
      return script.shift() ?? { text: '' }
    }
    const options = { tools: toyTools(tools), ...(signal ? { signal } : {}) }
    const { text, messages } = await runToyAgent(model as never, options)
    const toolsSent = sent.map(({ name, description, parameters }) => ({
      name,
      description,
      schema: parameters as never,
    }))
    return { toolsSent, results: messages, pending: [], text }
  },
}
