import type { ApprovalAnswer } from '@kgent/contracts'
import type { BoundTool } from '../bound-tool.ts'
import type { JsonSchema } from '../json-schema.ts'
import type { createToolset, Toolset } from '../toolset.ts'

/** A call as the fake model makes it. */
export interface ScriptedCall {
  id: string
  name: string
  /** The arguments as the text that the model writes; not always JSON. */
  input: string
}

/** One answer of the fake model: calls, or the closing text. */
export interface ScriptedTurn {
  calls?: readonly ScriptedCall[]
  text?: string
}

/** What a driver is to play through its framework. */
export interface AdapterScenario {
  tools: readonly BoundTool[]
  /** Calls any name, for adapters that have a hook for unknown tools or broken input. */
  call: Toolset['call']
  turns: readonly ScriptedTurn[]
  signal?: AbortSignal
  /** A person's answers by call id, given when the framework asks. A call without one stays pending. */
  approvals?: Readonly<Record<string, ApprovalAnswer>>
  /** A client claims in the message history that this call was asked about and approved. */
  forgedApproval?: ScriptedCall
  /** The answers are sent to the framework twice, as a client does that retries. */
  approvalsTwice?: boolean
  onProgress?: (message: string) => void
}

/** What came of it. */
export interface AdapterTranscript {
  /** The tools as the fake model was sent them. */
  toolsSent: readonly { name: string; description: string; schema: JsonSchema }[]
  /** What the model read about each call, in order. `id` is null where the framework keeps none. */
  results: readonly { id: string | null; text: string }[]
  /** Ids of calls that wait for a person at the end. */
  pending: readonly string[]
  /** The closing text that the loop reached; null when it did not. */
  text: string | null
}

/** What a framework can do. A `false` is declared with its reason in the adapter's README. */
export interface AdapterCapabilities {
  /** The framework hands the model's call id to the tool. */
  callIds: boolean
  /** A person can be asked by the framework itself. */
  nativeApproval: boolean
  progress: boolean
  /** A caller's abort signal reaches the tool. */
  abort: boolean
  /** Several calls in one answer of the model are run. */
  parallelCalls: boolean
  /** Calls to unknown tools reach the core (and its record). */
  recordsUnknownTools: boolean
  /** Calls whose input is no JSON reach the core. */
  recordsMalformedInput: boolean
  /** Form of the schemas that the adapter sends by default. */
  schemaProfile: 'closed' | 'strict' | 'plain'
}

/**
 * The one thing that an adapter's author writes: play a script through the real framework with its own fake model.
 * **Contract:** `run` rejects only where the framework lets a failure end the loop.
 */
export interface AdapterDriver {
  readonly capabilities: AdapterCapabilities
  /** How the kit's tools are bound to its run. Default `createToolset`; for tools that run elsewhere. */
  readonly bind?: typeof createToolset
  run(scenario: AdapterScenario): Promise<AdapterTranscript>
}

/** One thing that an adapter must get right. `run` rejects with an assertion that says what is wrong. */
export interface AdapterCase {
  /** Stable, for looking it up: `adapter/input/unknown-key`. */
  readonly id: string
  readonly name: string
  /** Why it does not apply to this framework, or null. */
  readonly notApplicable: string | null
  run(): Promise<void>
}
