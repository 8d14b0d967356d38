import { KgentError } from '@kgent/contracts'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'
import type { ToolUse } from './dialect.ts'
import { listToolNames } from './list-tool-names.ts'
import type { McpMemoryOptions } from './mcp-memory-options.ts'
import { NO_ANSWER_IN_TIME, type ToolAnswer, toAnswer, toFailure, UNREACHABLE } from './tool-answer.ts'

interface CallOptions {
  readonly signal: AbortSignal | undefined
  /** Called at the moment from which on the server may act. Not called once the signal is aborted. */
  readonly onSend: () => void
}

export interface ServerLink {
  /** Never rejects; the signal is obeyed up to the moment of sending. */
  call(use: ToolUse, options: CallOptions): Promise<ToolAnswer>
  close(): Promise<void>
}

/** The way to one server: connects at the first call, and again at the first call after the connection was lost. */
export function createServerLink(options: McpMemoryOptions, neededTools: readonly string[]): ServerLink {
  const { callTimeoutMs = 10_000, connectTimeoutMs = 30_000 } = options
  let connecting: Promise<Client> | null = null
  let closed = false

  async function connect(onLost: () => void): Promise<Client> {
    const client = options.client ?? new Client({ name: 'kgent-memory', version: '1' })
    if (!options.client) {
      client.onclose = onLost
      await client.connect(newTransport(options), { timeout: connectTimeoutMs })
    }
    const names = await listToolNames(client, connectTimeoutMs)
    const missing = neededTools.filter((tool) => !names.includes(tool))
    if (missing.length === 0) return client
    if (!options.client) await client.close()
    throw new KgentError('memory_unavailable', `The memory server has no tool \`${missing.join('`, `')}\`.`)
  }

  function connected(): Promise<Client> {
    if (closed) return Promise.reject(new Error('Not connected'))
    if (connecting) return connecting
    const attempt = connect(() => forget(attempt))
    attempt.catch(() => forget(attempt))
    connecting = attempt
    return attempt
  }

  function forget(attempt: Promise<Client>): void {
    if (connecting === attempt) connecting = null
  }

  /** After a silence nobody knows what the server still does: it has ended before the next write begins. */
  async function dropOwn(attempt: Promise<Client>): Promise<void> {
    if (options.client) return
    forget(attempt)
    await attempt.then((client) => client.close()).catch(() => {})
  }

  return {
    async call(use, { signal, onSend }) {
      const connection = connected()
      let client: Client
      try {
        client = await connection
      } catch (reason) {
        const why = KgentError.is(reason) ? reason.message : UNREACHABLE
        return { kind: 'not sent', why }
      }
      if (signal?.aborted) return { kind: 'not sent', why: 'The call was cancelled.' }
      onSend()
      const request = { method: 'tools/call' as const, params: { name: use.tool, arguments: use.arguments } }
      try {
        return toAnswer(await client.request(request, CallToolResultSchema, { timeout: callTimeoutMs }))
      } catch (reason) {
        const failure = toFailure(reason)
        if (failure.kind === 'no answer' && failure.why === NO_ANSWER_IN_TIME) await dropOwn(connection)
        return failure
      }
    },
    async close() {
      closed = true
      if (connecting) await dropOwn(connecting)
    },
  }
}

function newTransport({ command, args = [], env, transport }: McpMemoryOptions): Transport {
  if (transport) return transport()
  return new StdioClientTransport({
    command: command ?? '',
    args: [...args],
    ...(env && { env: { ...env } }),
    // What the server says there is for its own log, and may hold content.
    stderr: 'ignore',
  }) as Transport
}
