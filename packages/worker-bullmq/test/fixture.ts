import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PermissionEffect, PermissionGate } from '@kgent/contracts'
import { type AnyToolDefinition, defineTool, okResult, ToolError, type Toolset } from '@kgent/tools-core'
import { createMemoryRun, gateOf, type MemoryRecord } from '@kgent/tools-core/testing'
import {
  type Place,
  type RemoteToolsOptions,
  remoteTools,
  type ServeToolsOptions,
  serveTools,
  type ToolServer,
} from '@kgent/worker-bullmq'
import { z } from 'zod'

/** A gate that is as strict as a policy: `deny` for what is not named. */
export function only(effects: Readonly<Record<string, PermissionEffect>>): PermissionGate {
  const open = gateOf(effects)
  return (request) =>
    Object.hasOwn(effects, request.permission) ? open(request) : { ...open(request), decision: 'deny' }
}

/** Tools of each kind that matters to a worker; `ran` gets a line for each handler that is really started. */
export function testTools(ran: string[], gates: { open?: Promise<unknown> } = {}): AnyToolDefinition[] {
  return [
    defineTool({
      name: 'read_note',
      description: 'Read a file of the run.',
      inputSchema: z.strictObject({ path: z.string() }),
      permissions: ({ path }) => [{ permission: 'filesystemRead', path }],
      annotations: { readOnly: true },
      async handler({ path }, { sandbox, attempt }) {
        ran.push(`read_note ${path} attempt=${attempt}`)
        const file = await sandbox.readFile(path)
        if (!file.ok) throw new ToolError(file.error.message, { code: file.error.code })
        return okResult(`Read ${path}`, { text: file.value.text })
      },
    }),
    defineTool({
      name: 'write_note',
      description: 'Write a file of the run.',
      inputSchema: z.strictObject({ path: z.string(), text: z.string() }),
      permissions: ({ path }) => [{ permission: 'filesystemWrite', path }],
      async handler({ path, text }, { sandbox, toolCallId, callId, signal }) {
        ran.push(`write_note ${path} ${toolCallId} ${callId}`)
        if (gates.open)
          await Promise.race([gates.open, new Promise((end) => signal.addEventListener('abort', end))])
        const written = await sandbox.writeFile(path, text)
        if (!written.ok) throw new ToolError(written.error.message, { code: written.error.code })
        return okResult(`Wrote ${path}`, { bytes: written.value.bytes })
      },
    }),
    defineTool({
      name: 'give_much',
      description: 'Give more than fits.',
      inputSchema: z.strictObject({ rows: z.int() }),
      permissions: [],
      annotations: { readOnly: true },
      handler: ({ rows }) =>
        okResult('Much', { rows: Array.from({ length: rows }, (_, row) => `row ${row}`) }),
    }),
  ]
}

export interface Fixture extends MemoryRecord {
  runsDir: string
  runDir: string
  ran: string[]
  places: Place[]
  tools: AnyToolDefinition[]
  sender(options?: Partial<RemoteToolsOptions>): Toolset
  worker(options?: Partial<ServeToolsOptions>): Promise<ToolServer>
  /** The lines of a worker's log. */
  log(worker: ToolServer, file?: string): Record<string, never>[]
  close(): Promise<void>
}

/** A run folder, senders and workers on one Redis. */
export function createFixture(
  url: string,
  options: { limits?: { callTimeoutMs?: number }; gates?: { open?: Promise<unknown> } } = {},
): Fixture {
  const runsDir = mkdtempSync(join(tmpdir(), 'kgent-runs-'))
  const ran: string[] = []
  const places: Place[] = []
  const tools = testTools(ran, options.gates)
  const { context, seen } = createMemoryRun({ limits: { ...options.limits } })
  const runDir = join(runsDir, context.runId)
  for (const folder of ['workspace', 'deliverables', 'archive/artifacts'])
    mkdirSync(join(runDir, folder), { recursive: true })
  const prefix = `t${Math.random().toString(36).slice(2)}`
  const open: { close(): Promise<void> }[] = []
  const keep = <T extends { close(): Promise<void> }>(part: T): T => {
    open.unshift(part)
    return part
  }
  const shared = { connection: url, runsDir, prefix, tools }
  return {
    ...seen,
    runsDir,
    runDir,
    ran,
    places,
    tools,
    sender: (more = {}) =>
      keep(
        remoteTools({
          ...shared,
          context,
          policy: gateOf(),
          onPlace: (_callId, place) => places.push(place),
          pollMs: 100,
          ...more,
        }),
      ),
    worker: async (more = {}) =>
      keep(
        await serveTools({
          ...shared,
          policy: gateOf(),
          queues: ['read', 'write'],
          lockMs: 1_000,
          storageLagMs: 50,
          ...more,
        }),
      ),
    log(worker, file = 'logs/tools.jsonl') {
      const text = readFileSync(join(worker.logDir, file), 'utf8')
      return text
        .trim()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
    },
    async close() {
      for (const part of open) await part.close()
      rmSync(runsDir, { recursive: true, force: true })
    },
  }
}
