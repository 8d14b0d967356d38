import { type Approver, type PermissionEffect, type Sandbox, succeed } from '@kgent/contracts'
import {
  createToolset,
  defineTool,
  okResult,
  ToolError,
  type ToolResult,
  type Toolset,
} from '@kgent/tools-core'
import { createMemoryRun, gateOf, type MemoryRecord } from '@kgent/tools-core/testing'
import { z } from 'zod'

export interface Fixture extends MemoryRecord {
  toolset: Toolset
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
  const ran: string[] = []
  const { context, seen } = createMemoryRun({ ...(approver ? { approver } : {}) })
  const sandbox = withFiles(context.sandbox, files)
  const toolset = createToolset(testTools(ran), { context: { ...context, sandbox }, policy: gateOf(effects) })
  return { toolset, files, ran, ...seen }
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

/** The sandbox of the in-memory run, with files to read and write. */
function withFiles(empty: Sandbox, files: Map<string, string>): Sandbox {
  const absolute = (path: string) => (path.startsWith('workspace/') ? path : `workspace/${path}`)
  const sandbox: Sandbox = {
    ...empty,
    resolvePath: (path) => empty.resolvePath(absolute(path)),
    async readFile(path) {
      const text = files.get(absolute(path))
      if (text === undefined) return empty.readFile(path)
      const whole = { path, text, startLine: 1, endLine: 1, totalLines: 1, totalBytes: text.length }
      const end = { truncated: false, nextOffset: null, sha256: null, cutLines: [] }
      return succeed({ ...whole, ...end, eol: 'none', bom: false, encoding: 'utf-8' })
    },
    async writeFile(path, content) {
      files.set(absolute(path), content)
      return succeed({ path, bytes: content.length, sha256: '', created: true, previousSha256: null })
    },
    withAccessCheck: () => sandbox,
  }
  return sandbox
}
