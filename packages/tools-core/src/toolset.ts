import { setMaxListeners } from 'node:events'
import {
  type EffectivePermissionPolicy,
  errorInfo,
  KgentError,
  type PermissionGate,
  type RunContext,
  type ToolResult,
} from '@kgent/contracts'
import { ApprovalLedger } from './approval-ledger.ts'
import type { BoundTool, CallForecast, CallOptions, DecideOptions } from './bound-tool.ts'
import type { CallServices, PreparedTool } from './call.ts'
import { decideCall } from './decide-call.ts'
import { checkDefinition, inputJsonSchema } from './define-tool.ts'
import { applyProfile, type JsonSchemaOptions } from './json-schema.ts'
import { recordAsk } from './obtain-approval.ts'
import { openCall } from './open-call.ts'
import { RepeatLedger } from './repeat-ledger.ts'
import { runCall } from './run-call.ts'
import type { AnyToolDefinition } from './tool-definition.ts'
import { failure } from './tool-result.ts'
import { validateInput } from './validate-input.ts'

/** What tools are bound to: the run's interfaces and the policy that decides. */
export interface ToolBinding {
  context: RunContext
  policy: EffectivePermissionPolicy | PermissionGate
}

/** The bound tools of one run, with one ledger for repeats and approvals. */
export interface Toolset {
  readonly tools: readonly BoundTool[]
  /** The tool of that exact name, or undefined. */
  tool(name: string): BoundTool | undefined
  /** Calls any name; an unknown one is answered with the real names and recorded like the rest. Never rejects. */
  call(name: string, rawInput: unknown, options?: CallOptions): Promise<ToolResult>
  /** Aborts what is running and resolves when all of it has been recorded. */
  close(): Promise<void>
}

/**
 * Binds tools to a run.
 *
 * **Throws:** `KgentError`: `definition_invalid`, or `duplicate_tool` when two have one name.
 */
export function createToolset(definitions: readonly AnyToolDefinition[], binding: ToolBinding): Toolset {
  const closing = new AbortController()
  // Every running call listens to it.
  setMaxListeners(0, closing.signal)
  const running = new Set<Promise<unknown>>()
  const services: CallServices = {
    context: binding.context,
    gate: typeof binding.policy === 'function' ? binding.policy : binding.policy.check,
    tools: prepareTools(definitions),
    approvals: new ApprovalLedger(),
    repeats: new RepeatLedger(),
    closing: closing.signal,
  }
  const call: Toolset['call'] = async (name, rawInput, options) => {
    if (closing.signal.aborted)
      return failure('aborted', 'The run is closed: its record has ended, so nothing is run.')
    const work = runCall(services, { name, rawInput, options })
    running.add(work)
    return work.finally(() => running.delete(work))
  }
  const tools = [...services.tools.values()].map((tool) => bindTool(services, tool, call))
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  return {
    tools,
    tool: (name) => byName.get(name),
    call,
    async close() {
      closing.abort(errorInfo('aborted', 'The run was closed.'))
      await Promise.allSettled(running)
    },
  }
}

/** The bound tools of `createToolset`, for callers that need nothing else of it. */
export function bindTools(definitions: readonly AnyToolDefinition[], binding: ToolBinding): BoundTool[] {
  return [...createToolset(definitions, binding).tools]
}

function prepareTools(definitions: readonly AnyToolDefinition[]): Map<string, PreparedTool> {
  const prepared = new Map<string, PreparedTool>()
  for (const definition of definitions) {
    checkDefinition(definition)
    const earlier = prepared.get(definition.name)
    if (earlier) {
      const titles = [earlier.definition, definition].map(
        ({ title, description }) => `“${title ?? description.slice(0, 60)}”`,
      )
      throw new KgentError(
        'duplicate_tool',
        `Two tools are named ${definition.name}: ${titles.join(' and ')}. Rename one, or disable the built-in.`,
      )
    }
    prepared.set(definition.name, {
      definition,
      name: definition.name,
      inputSchema: definition.inputSchema,
      shape: inputJsonSchema(definition, 'draft-2020-12'),
      readOnly: definition.annotations?.readOnly === true,
    })
  }
  return prepared
}

function bindTool(services: CallServices, tool: PreparedTool, call: Toolset['call']): BoundTool {
  const { definition } = tool
  return Object.freeze({
    name: tool.name,
    title: definition.title ?? tool.name,
    description: definition.description,
    annotations: Object.freeze({ ...definition.annotations }),
    inputExamples: Object.freeze([...(definition.inputExamples ?? [])]),
    inputSchema: definition.inputSchema,
    jsonSchema({ profile = 'closed', target = 'draft-07' }: JsonSchemaOptions = {}) {
      return applyProfile(inputJsonSchema(definition, target), { profile, target })
    },
    decide: (rawInput: unknown, options?: DecideOptions) =>
      forecast(services, tool, { rawInput, options: options ?? {} }),
    call: (rawInput: unknown, options?: CallOptions) => call(tool.name, rawInput, options),
  })
}

async function forecast(
  services: CallServices,
  tool: PreparedTool,
  asked: { rawInput: unknown; options: DecideOptions },
): Promise<CallForecast> {
  try {
    const call = openCall(services, {
      name: tool.name,
      rawInput: asked.rawInput,
      options: asked.options,
      isForecast: true,
    })
    const checked = await validateInput(tool, call.normalised)
    if (!checked.ok) return { decision: 'deny', reason: checked.error.message }
    const decision = await decideCall(services, tool, checked.input)
    if (
      decision.effect === 'ask' &&
      !asked.options.replay &&
      services.approvals.open(call.key, call.callId)
    ) {
      recordAsk(services, call, decision, 'framework')
      await services.context.events.flush()
    }
    return { decision: decision.effect, reason: decision.error?.message ?? null }
  } catch {
    return { decision: 'deny', reason: 'The permission check itself failed, which counts as a denial.' }
  }
}
