// Stands for the framework that you bind: replace it by an import of the real one. It knows functions with a schema, and
// runs them in a loop until the model makes no more calls.

export interface ToyTool {
  name: string
  description: string
  parameters: object
  /** Gets what the model wrote, and gives what the model reads. */
  execute(written: string, call: { id: string; signal?: AbortSignal }): Promise<string>
}

/** One answer of a model: calls, or the closing text. */
export interface ToyAnswer {
  text?: string
  calls?: readonly { id: string; name: string; input: string }[]
}

export type ToyModel = (tools: readonly ToyTool[], read: readonly ToyMessage[]) => ToyAnswer

export interface ToyMessage {
  id: string
  text: string
}

export async function runToyAgent(
  model: ToyModel,
  { tools, signal }: { tools: readonly ToyTool[]; signal?: AbortSignal },
): Promise<{ text: string; messages: ToyMessage[] }> {
  const messages: ToyMessage[] = []
  for (;;) {
    const { text = '', calls = [] } = model(tools, messages)
    if (calls.length === 0) return { text, messages }
    const results = calls.map(async ({ id, name, input }) => {
      const tool = tools.find((one) => one.name === name)
      const call = signal ? { id, signal } : { id }
      return { id, text: tool ? await tool.execute(input, call) : `There is no tool ${name}.` }
    })
    messages.push(...(await Promise.all(results)))
  }
}
