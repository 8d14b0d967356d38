import { brokenCalls, langchainTools } from '@kgent/adapter-langchain'
import { HumanMessage } from '@langchain/core/messages'
import { createAgent, createMiddleware } from 'langchain'
import { INSTRUCTIONS } from '../instructions.ts'
import type { ScriptedModel } from '../scripted/scripted-model.ts'
import { type AgentLoop, type LoopEnd, MAX_STEPS, oneLine } from './agent-loop.ts'
import { ProviderChatModel } from './langchain-model.ts'

/** The loop of LangChain's `createAgent`. */
export const langchainLoop: AgentLoop = async (run, { model, task, tools, signal, onWords }) => {
  const end: LoopEnd = { text: '', steps: 0, failure: null }
  const chat = new ProviderChatModel(model as ScriptedModel, onWords)
  const agent = createAgent({
    model: chat,
    tools: langchainTools(tools),
    systemPrompt: INSTRUCTIONS,
    middleware: [createMiddleware({ name: 'kgent', ...brokenCalls(run) } as never)],
  })
  try {
    // A step of the model and one of the tools are two of LangGraph's.
    const options = { signal, recursionLimit: 2 * MAX_STEPS + 1 }
    const { messages } = await agent.invoke({ messages: [new HumanMessage(task)] }, options)
    end.text = messages.at(-1)?.text ?? ''
  } catch (thrown) {
    end.failure = isRecursionLimit(thrown) ? `it was stopped after ${MAX_STEPS} steps` : oneLine(thrown)
  }
  return { ...end, steps: chat.steps }
}

function isRecursionLimit(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'GraphRecursionError'
}
