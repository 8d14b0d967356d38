import { hash } from 'node:crypto'
import {
  type Approver,
  type ErrorInfo,
  type ErrorLogEntry,
  errorInfo,
  fail,
  type PermissionDecision,
  type PermissionGate,
  type RunContext,
  type RunEventDraft,
  type Sandbox,
  succeed,
  type ToolCallDraft,
  type ToolLimits,
} from '@kgent/contracts'

/** What a run in memory has recorded. */
export interface MemoryRecord {
  readonly records: ToolCallDraft[]
  readonly errors: ErrorLogEntry[]
  readonly events: RunEventDraft[]
  /** Content of artifacts by path. */
  readonly artifacts: Map<string, string>
}

export interface MemoryRunOptions {
  limits?: Partial<ToolLimits>
  approver?: Approver
  /** What the log says of itself. Default: all is well. */
  log?: { failure: ErrorInfo | null; required: boolean }
}

/** A run that touches no disk: for tests of tools and adapters. Its sandbox resolves paths and holds no files. */
export function createMemoryRun(options: MemoryRunOptions = {}): { context: RunContext; seen: MemoryRecord } {
  const seen: MemoryRecord = { records: [], errors: [], events: [], artifacts: new Map() }
  const context: RunContext = {
    runId: 'run-1',
    actor: { id: 'tester' },
    sandbox: emptySandbox(),
    artifacts: {
      async put({ content, mediaType = 'text/plain' }) {
        const text = String(content)
        const sha256 = hash('sha256', text, 'hex')
        const path = `artifacts/${sha256.slice(0, 16)}.json`
        seen.artifacts.set(path, text)
        return succeed({ path, bytes: Buffer.byteLength(text), sha256, mediaType })
      },
    },
    skills: {
      list: async () => ({
        skills: [],
        problems: [],
        budget: { maxLoaded: 0, maxBytes: 0, loaded: 0, bytes: 0 },
      }),
      load: async () => fail('skill_not_found', 'There are no skills.'),
      unload: () => false,
    },
    memory: {
      recallMemory: async () => [],
      writeMemory: async () => ({ status: 'blocked', id: null, error: errorInfo('memory_disabled', 'Off.') }),
    },
    logger: {
      record: (record) => void seen.records.push(record),
      recordError: (entry) => void seen.errors.push(entry),
      flush: async () => {},
      failure: options.log?.failure ?? null,
      required: options.log?.required ?? false,
    },
    events: {
      record: (event) => void seen.events.push(event),
      flush: async () => {},
      subscribe: () => () => {},
    },
    ...(options.approver && { approver: options.approver }),
    limits: { maxInlineBytes: 2_000, callTimeoutMs: 10_000, ...options.limits },
  }
  return { context, seen }
}

/** A gate that gives each permission the effect named for it, and allows the rest. */
export function gateOf(
  effects: Readonly<Record<string, PermissionDecision['decision']>> = {},
): PermissionGate {
  return ({ permission, path }) => ({
    permission,
    resource: path ?? null,
    decision: effects[permission] ?? 'allow',
    layer: 'config',
    rule: 'test-rule',
    reason: 'the test says so',
    requestedBy: [],
  })
}

/** Resolves `workspace/link/…` to `workspace/target/…`, refuses `..`, and is empty. */
function emptySandbox(): Sandbox {
  const mount = { name: 'workspace', mode: 'rw' as const, ignoresCase: false }
  const absent = async () => fail('not_found', 'Nothing is there.')
  const sandbox: Sandbox = {
    mounts: [mount],
    guarantee: 'checked',
    async resolvePath(path) {
      if (path.split('/').includes('..')) return fail('path_outside', `${path} leads out of the sandbox.`)
      return succeed({ path: path.replace('workspace/link', 'workspace/target'), mount, type: 'missing' })
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
