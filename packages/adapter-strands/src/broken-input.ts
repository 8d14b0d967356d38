import {
  type InvokeModelResult,
  type InvokeModelStage,
  Message,
  type MiddlewareHandlerOf,
  ModelError,
  ToolUseBlock,
} from '@strands-agents/sdk'
import { asObject } from './readable-input.ts'
import { StreamedAnswer } from './streamed-answer.ts'

/**
 * Middleware around the model. An answer that holds a call whose input is no JSON, on which Strands gives up, is put
 * together from its stream. Input that is JSON but no object is wrapped, because providers take back objects only.
 */
export const mendInput: MiddlewareHandlerOf<typeof InvokeModelStage> = async function* (context, next) {
  const answer = new StreamedAnswer()
  const events = next(context)
  try {
    for (;;) {
      const { done, value } = await events.next()
      if (done) return withObjects(value)
      answer.see(value)
      yield value
    }
  } catch (error) {
    const result = error instanceof ModelError ? answer.withBrokenInput() : null
    if (!result) throw error
    return withObjects({ result })
  } finally {
    await events.return(undefined as never)
  }
}

function withObjects({ result }: InvokeModelResult): InvokeModelResult {
  const { message } = result
  const content = message.content.map((block) =>
    block.type === 'toolUseBlock' ? new ToolUseBlock({ ...block, input: asObject(block.input) }) : block,
  )
  return { result: { ...result, message: new Message({ ...message, content }) } }
}
