import { hash } from 'node:crypto'
import {
  type ArtifactStore,
  type ErrorInfo,
  type ErrorLogEntry,
  type EventRecorder,
  errorInfo,
  fail,
  type MemoryClient,
  type PermissionDecision,
  type PermissionGate,
  type RunContext,
  type RunEvent,
  type Sandbox,
  type SkillRegistry,
  succeed,
  type ToolCallDraft,
  type ToolLogger,
} from '@kgent/contracts'
import { type AnyToolDefinition, createToolset, defineTool, okResult, type Toolset } from '@kgent/tools-core'
import { z } from 'zod'

/** Everything that a test can look at after its calls. */
export interface Recorded {
  records: ToolCallDraft[]
  errors: ErrorLogEntry[]
  events: Pick<RunEvent, 'type' | 'callId' | 'data'>[]
  artifacts: Map<string, string>
}

export interface FixtureOptions {
  tools?: AnyToolDefinition[]
  gate?: PermissionGate
  context?: Partial<RunContext>
  /** What the logger says of itself. */
  log?: { failure: ErrorInfo | null; required: boolean }
}

/** A toolset on an in-memory run that allows what `gate` allows (default: everything). */
export function createFixture(options: FixtureOptions = {}): { tools: Toolset; seen: Recorded } {
  const seen: Recorded = { records: [], errors: [], events: [], artifacts: new Map() }
  const context: RunContext = {
    runId: 'run-1',
    actor: { id: 'tester' },
    sandbox: fakeSandbox(),
    artifacts: memoryArtifacts(seen),
    skills: noSkills,
    memory: noMemory,
    logger: memoryLogger(seen, options.log),
    events: memoryEvents(seen),
    limits: { maxInlineBytes: 2_000, callTimeoutMs: 5_000 },
    ...options.context,
  }
  return {
    tools: createToolset(options.tools ?? [echoTool], { context, policy: options.gate ?? allowAll }),
    seen,
  }
}

export const echoTool = defineTool({
  name: 'echo',
  description: 'Give the text back.',
  inputSchema: z.strictObject({
    text: z.string(),
    times: z.int().min(1).default(1),
    note: z.string().optional(),
  }),
  permissions: [],
  annotations: { readOnly: true },
  handler: (input) =>
    okResult('Echoed', { text: input.text.repeat(input.times), note: input.note ?? 'absent' }),
})

export function decision(change: Partial<PermissionDecision> = {}): PermissionDecision {
  return {
    permission: 'filesystemRead',
    resource: null,
    decision: 'allow',
    layer: 'runtime',
    rule: 'test-rule',
    reason: 'the test says so',
    requestedBy: [],
    ...change,
  }
}

export const allowAll: PermissionGate = ({ permission, path }) =>
  decision({ permission, resource: path ?? null })

export const gateOf =
  (effect: PermissionDecision['decision']): PermissionGate =>
  ({ permission, path }) =>
    decision({ permission, resource: path ?? null, decision: effect, layer: 'config' })

function memoryLogger(seen: Recorded, log: FixtureOptions['log']): ToolLogger {
  return {
    record: (record) => void seen.records.push(record),
    recordError: (entry) => void seen.errors.push(entry),
    flush: async () => {},
    failure: log?.failure ?? null,
    required: log?.required ?? false,
  }
}

function memoryEvents(seen: Recorded): EventRecorder {
  return {
    record: ({ type, callId, data }) =>
      void seen.events.push({ type, data: data ?? {}, ...(callId && { callId }) }),
    flush: async () => {},
    subscribe: () => () => {},
  }
}

function memoryArtifacts(seen: Recorded): ArtifactStore {
  return {
    async put({ content, mediaType = 'text/plain' }) {
      const text = String(content)
      const sha256 = hash('sha256', text, 'hex')
      const path = `artifacts/${sha256.slice(0, 8)}.json`
      seen.artifacts.set(path, text)
      return succeed({ path, bytes: text.length, sha256, mediaType })
    },
  }
}

/** Resolves `workspace/…` to itself, follows the one link `workspace/link` and refuses `..`. */
function fakeSandbox(): Sandbox {
  const mount = { name: 'workspace', mode: 'rw' as const, ignoresCase: false }
  const absent = async () => fail('not_found', 'Nothing is there.')
  const sandbox: Sandbox = {
    mounts: [mount],
    guarantee: 'checked',
    async resolvePath(path) {
      if (path.includes('..')) return fail('path_outside', `${path} leads out of the sandbox.`)
      return succeed({ path: path.replace('workspace/link', 'workspace/target'), mount, type: 'file' })
    },
    readFile: absent,
    writeFile: absent,
    editFile: absent,
    listFiles: absent,
    grepFiles: absent,
    withAccessCheck: () => sandbox,
    close() {},
  }
  return sandbox
}

const noSkills: SkillRegistry = {
  list: async () => ({
    skills: [],
    problems: [],
    budget: { maxLoaded: 8, maxBytes: 1, loaded: 0, bytes: 0 },
  }),
  load: async () => ({ ok: false, error: errorInfo('skill_not_found', 'There are no skills.') }),
  unload: () => false,
}

const noMemory: MemoryClient = {
  recallMemory: async () => [],
  writeMemory: async () => ({ status: 'blocked', id: null, error: errorInfo('memory_disabled', 'Off.') }),
}
