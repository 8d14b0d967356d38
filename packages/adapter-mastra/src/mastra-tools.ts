import { type BoundTool, KgentError, requireUniqueNames, type ToolResult } from '@kgent/tools-core'
import { createTool, type Tool } from '@mastra/core/tools'
import { isAgreed, requireApproval } from './approval.ts'
import { InputTexts } from './input-texts.ts'
import { passThroughSchema } from './pass-through-schema.ts'
import { toModelOutput } from './to-model-output.ts'
import { type ProgressWriter, progressTo } from './tool-progress.ts'

export interface MastraOptions {
  /**
   * Who asks a person when a rule says `ask`: Mastra's own approval (the run is suspended), or the approver of the host.
   * Default `native`.
   */
  approval?: 'native' | 'host'
}

/** Tools of Mastra, keyed by tool name. Inputs are `unknown`: they are what the model sent, before the core checks it. */
export type MastraTools<T extends readonly BoundTool[]> = {
  [K in T[number] as K['name']]: Tool<unknown, ToolResult>
}

/** Names that Mastra takes out of a call's input for itself, so that no tool would ever see them. */
const TAKEN = ['resumeData', 'suspendedToolCallId', 'suspendedToolRunId', '_background']

/**
 * Bound tools as the `tools` of a Mastra `Agent`.
 *
 * **Throws:** `KgentError`: `duplicate_tool` when two tools have one name, `definition_invalid` when a tool has an input
 * field of a name that Mastra keeps for itself.
 */
export function mastraTools<const T extends readonly BoundTool[]>(
  tools: T,
  options: MastraOptions = {},
): MastraTools<T> {
  requireUniqueNames(tools)
  const set: Record<string, unknown> = {}
  for (const tool of tools) set[tool.name] = toMastraTool(tool, options)
  return set as MastraTools<T>
}

function toMastraTool(tool: BoundTool, { approval = 'native' }: MastraOptions) {
  const schema = tool.jsonSchema({ profile: 'closed', target: 'draft-07' })
  const fields = Object.keys(Object(schema.properties))
  const taken = TAKEN.find((name) => fields.includes(name))
  if (taken) {
    throw new KgentError(
      'definition_invalid',
      `Mastra takes the field ${taken} out of every call. Rename it in the input of ${tool.name}.`,
    )
  }
  const texts = new InputTexts()
  return createTool({
    id: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: passThroughSchema(schema),
    inputExamples: tool.inputExamples.map((input) => ({ input })),
    // Not strict: Mastra would otherwise rewrite the schema for some models.
    strict: false,
    mcp: { annotations: hints(tool) },
    ...(approval === 'native' ? { requireApproval: requireApproval(tool) } : {}),
    onInputStart: ({ toolCallId }) => texts.start(toolCallId),
    onInputDelta: ({ toolCallId, inputTextDelta }) => texts.add(toolCallId, inputTextDelta),
    onInputAvailable: async ({ input, toolCallId }) => {
      if (!texts.check(toolCallId)) await announce(tool, { input, toolCallId, approval })
    },
    execute: (input: unknown, { agent, abortSignal, writer }) => {
      const toolCallId = agent?.toolCallId || undefined
      const broken = toolCallId && texts.takeBroken(toolCallId)
      return runTool(tool, broken ?? input, { toolCallId, abortSignal, writer })
    },
    toModelOutput,
  })
}

function hints({ title, annotations }: BoundTool) {
  const { readOnly, destructive, idempotent } = annotations
  return {
    title,
    ...(readOnly === undefined ? {} : { readOnlyHint: readOnly }),
    ...(destructive === undefined ? {} : { destructiveHint: destructive }),
    ...(idempotent === undefined ? {} : { idempotentHint: idempotent }),
  }
}

interface Announced {
  input: unknown
  toolCallId: string
  approval: 'native' | 'host'
}

/** Mastra tells of a call, with its id, before it decides about it. */
async function announce(tool: BoundTool, { input, toolCallId, approval }: Announced): Promise<void> {
  if (input === undefined || input === null) {
    // No JSON: Mastra answers the model by itself and has dropped the text. The core refuses this one and records it.
    await tool.call('(not JSON)', { toolCallId })
  } else if (approval === 'native') await tool.decide(input, { toolCallId })
}

interface Running {
  toolCallId: string | undefined
  abortSignal: AbortSignal | undefined
  writer: ProgressWriter | undefined
}

async function runTool(tool: BoundTool, input: unknown, call: Running): Promise<ToolResult> {
  const { toolCallId, abortSignal, writer } = call
  const progress = progressTo(writer, { tool: tool.name, toolCallId })
  const agreed = isAgreed(input)
  const result = await tool.call(agreed ? { ...input } : input, {
    toolCallId,
    signal: abortSignal,
    onProgress: progress.show,
    ...(agreed ? { approval: { approved: true, by: 'mastra' }, replay: true } : {}),
  })
  await progress.shown()
  return result
}
