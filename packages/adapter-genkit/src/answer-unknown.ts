import { type Toolset, toModelText } from '@kgent/tools-core'
import type { GenerateRequest, GenerateResponseData, MessageData, ToolRequestPart } from 'genkit'

const NOT_RUN =
  'Not run: another call beside this one named a tool that does not exist. Make this call again without it.'

/**
 * What the model reads when it has called a tool that was not offered: each such call is recorded and answered, and
 * the calls beside it are not run. Null when all calls name offered tools. Genkit itself would end the run.
 */
export async function answerUnknown(
  run: Pick<Toolset, 'call'>,
  request: GenerateRequest,
  response: GenerateResponseData,
): Promise<MessageData[] | null> {
  const { message } = response
  const offered = new Set(request.tools?.map(({ name }) => name))
  const calls = (message?.content ?? []).filter((part): part is ToolRequestPart => Boolean(part.toolRequest))
  if (!message || calls.every(({ toolRequest }) => offered.has(toolRequest.name))) return null
  const content = await Promise.all(
    calls.map(async ({ toolRequest: { name, ref, input } }) => {
      // The signal: a tool that the run has and the host did not offer must not start.
      const refuse = () => run.call(name, input, { toolCallId: ref, signal: AbortSignal.abort() })
      const output = offered.has(name) ? NOT_RUN : toModelText(await refuse())
      return { toolResponse: { name, output, ...(ref === undefined ? {} : { ref }) } }
    }),
  )
  return [message, { role: 'tool', content }]
}
