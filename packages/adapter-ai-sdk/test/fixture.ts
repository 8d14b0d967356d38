import {
  type Approver,
  type EffectivePermissionPolicy,
  type ErrorLogEntry,
  errorInfo,
  fail,
  type PermissionEffect,
  type PermissionGate,
  type RunContext,
  type RunEventDraft,
  type Sandbox,
  succeed,
  type ToolCallDraft,
  type ToolResult,
} from '@kgent/contracts'
import { createToolset, defineTool, okResult, ToolError, type Toolset } from '@kgent/tools-core'
import { z } from 'zod'

export interface Fixture {
  toolset: Toolset
  records: ToolCallDraft[]
  errors: ErrorLogEntry[]
  events: RunEventDraft[]
  /** The files of the in-memory sandbox. */
  files: Map<string, string>
  /** What handlers have done, in order: the proof that something did not run. */
  ran: string[]
}

export interface FixtureOptions {
  /** What the policy says to each permission. Default: `allow`. */
  effects?: Record<string, PermissionEffect>
  approver?: Approver
}

/** A real toolset on an in-memory run. */
export function createFixture({ effects = {}, approver }: FixtureOptions = {}): Fixture {
  const files = new Map([['workspace/a.txt', 'hello']])
  const seen = {
    records: [] as ToolCallDraft[],
    errors: [] as ErrorLogEntry[],
    events: [] as RunEventDraft[],
  }
  const ran: string[] = []
  const context: RunContext = {
    runId: 'run-1',
    actor: null,
    sandbox: memorySandbox(files),
    artifacts: { put: async () => fail('io_error', 'There are no artifacts here.') },
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
      failure: null,
      required: false,
    },
    events: {
      record: (event) => void seen.events.push(event),
      flush: async () => {},
      subscribe: () => () => {},
    },
    limits: { maxInlineBytes: 50_000, callTimeoutMs: 10_000 },
    ...(approver ? { approver } : {}),
  }
  const toolset = createToolset(testTools(ran), { context, policy: policyOf(effects) })
  return { toolset, files, ran, ...seen }
}

function policyOf(effects: Record<string, PermissionEffect>): PermissionGate | EffectivePermissionPolicy {
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

/** Tools of each kind that matters to an adapter. */
function testTools(ran: string[]) {
  return [
    defineTool({
      name: 'read_note',
      title: 'Read note',
      description: 'Read a note.',
      inputSchema: z.strictObject({ path: z.string(), limit: z.int().optional() }),
      permissions: ({ path }) => [{ permission: 'filesystemRead', path }],
      annotations: { readOnly: true },
      inputExamples: [{ path: 'a.txt' }],
      async handler({ path }, { sandbox, toolCallId }) {
        ran.push(`read_note ${path} ${toolCallId}`)
        const file = await sandbox.readFile(path)
        if (!file.ok) throw new ToolError(file.error.message, { code: file.error.code })
        return okResult(`Read ${path}`, { text: file.value.text })
      },
    }),
    defineTool({
      name: 'write_note',
      description: 'Write a note.',
      inputSchema: z.strictObject({ path: z.string(), text: z.string() }),
      permissions: ({ path }) => [{ permission: 'filesystemWrite', path }],
      async handler({ path, text }, { sandbox, toolCallId }) {
        ran.push(`write_note ${path} ${toolCallId}`)
        const written = await sandbox.writeFile(path, text)
        if (!written.ok) throw new ToolError(written.error.message)
        return okResult(`Wrote ${path}`, { bytes: written.value.bytes })
      },
    }),
    defineTool({
      name: 'count_steps',
      description: 'Report progress, then end.',
      inputSchema: z.strictObject({}),
      permissions: [],
      async handler(_input, { progress }) {
        for (const step of [1, 2, 3]) {
          progress({ message: `Step ${step} of 3`, data: { step } })
          await new Promise((resolve) => setImmediate(resolve))
        }
        return okResult('Counted', { steps: 3 })
      },
    }),
    defineTool({
      name: 'wait_forever',
      description: 'Wait until the call is cancelled.',
      inputSchema: z.strictObject({}),
      permissions: [],
      handler: (_input, { signal, progress }) =>
        new Promise<ToolResult>((resolve) => {
          signal.addEventListener('abort', () => {
            ran.push('wait_forever saw the abort')
            resolve(okResult('Too late', {}))
          })
          ran.push('wait_forever started')
          progress({ message: 'Waiting' })
        }),
    }),
    defineTool({
      name: 'crash',
      description: 'Fail unexpectedly.',
      inputSchema: z.strictObject({}),
      permissions: [],
      handler() {
        throw new Error('secret-token at /home/someone/private.ts')
      },
    }),
  ]
}

function memorySandbox(files: Map<string, string>): Sandbox {
  const mount = { name: 'workspace', mode: 'rw' as const, ignoresCase: false }
  const absolute = (path: string) => (path.startsWith('workspace/') ? path : `workspace/${path}`)
  const absent = async () => fail('not_found', 'Nothing is there.')
  const sandbox: Sandbox = {
    mounts: [mount],
    guarantee: 'checked',
    async resolvePath(path) {
      if (path.includes('..')) return fail('path_outside', `${path} leads out of the sandbox.`)
      return succeed({ path: absolute(path), mount, type: files.has(absolute(path)) ? 'file' : 'missing' })
    },
    async readFile(path) {
      const text = files.get(absolute(path))
      if (text === undefined) return fail('not_found', `Nothing is at ${path}.`)
      return succeed({
        ...{ path, text, startLine: 1, endLine: 1, totalLines: 1, totalBytes: text.length, truncated: false },
        ...{ nextOffset: null, sha256: null, eol: 'none', bom: false, encoding: 'utf-8', cutLines: [] },
      })
    },
    async writeFile(path, content) {
      files.set(absolute(path), content)
      return succeed({ path, bytes: content.length, sha256: '', created: true, previousSha256: null })
    },
    editFile: absent,
    listFiles: absent,
    grepFiles: absent,
    withAccessCheck: () => sandbox,
    close() {},
  }
  return sandbox
}
