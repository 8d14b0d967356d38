import assert from 'node:assert/strict'
import type { PermissionEffect, ToolCallDraft } from '@kgent/contracts'
import type { BoundTool } from '../bound-tool.ts'
import { createToolset } from '../toolset.ts'
import type { AdapterDriver, AdapterScenario, AdapterTranscript, ScriptedCall } from './adapter-driver.ts'
import { kitTools, PLANTED } from './kit-tools.ts'
import { createMemoryRun, gateOf, type MemoryRecord } from './memory-run.ts'

/** A scenario with its policy, as a case describes it. */
export interface Play extends Omit<AdapterScenario, 'tools' | 'call' | 'turns'> {
  calls?: readonly ScriptedCall[]
  /** Further answers of the model, each with its calls, before the closing text. */
  furtherCalls?: readonly (readonly ScriptedCall[])[]
  effects?: Readonly<Record<string, PermissionEffect>>
  /** Called when the first handler is started. */
  onStart?: () => void
}

/** Everything that a case can look at. */
export interface Played extends AdapterTranscript {
  seen: MemoryRecord
  ran: readonly string[]
  tools: readonly BoundTool[]
  /** What the model read about the only call, or the call of that id. */
  read(id?: string): string
  /** The record of the only call, or of the call of that id. */
  record(id?: string): ToolCallDraft
}

/** Long enough for any call of the kit; a call that no abort reaches ends by it. */
const CALL_TIMEOUT_MS = 1_000

export const CLOSING = 'That is all.'

/** Plays a scenario through the author's framework on a run in memory, and checks what must hold in every case. */
export async function play(driver: AdapterDriver, scenario: Play): Promise<Played> {
  const { calls = [], furtherCalls: later = [], effects = {}, onStart, ...rest } = scenario
  const ran: string[] = []
  const note = (line: string) => {
    if (ran.push(line) === 1) queueMicrotask(() => onStart?.())
  }
  const { context, seen } = createMemoryRun({ limits: { callTimeoutMs: CALL_TIMEOUT_MS } })
  const bind = driver.bind ?? createToolset
  const toolset = bind(kitTools(note), { context, policy: gateOf(effects) })
  const turns = [calls, ...later].filter((turn) => turn.length > 0).map((turn) => ({ calls: turn }))
  const transcript = await driver.run({
    ...rest,
    tools: toolset.tools,
    call: toolset.call,
    turns: [...turns, { text: CLOSING }],
  })
  const played: Played = {
    ...transcript,
    seen,
    ran,
    tools: toolset.tools,
    read: (id) => textOf(transcript, id),
    record: (id) => recordOf(seen, id),
  }
  checkAlways(played)
  return played
}

/** A call with its input as the model writes it. */
export function call(name: string, input: unknown = {}, id = 'call-1'): ScriptedCall {
  return { id, name, input: typeof input === 'string' ? input : JSON.stringify(input) }
}

function textOf({ results }: AdapterTranscript, id?: string): string {
  const found = id === undefined ? results : results.filter((result) => result.id === id)
  assert.equal(
    found.length,
    1,
    `the model must read exactly one result${id ? ` for ${id}` : ''}, it read ${found.length} of ${results.length}`,
  )
  return found[0]?.text ?? ''
}

function recordOf({ records }: MemoryRecord, id?: string): ToolCallDraft {
  const found = id === undefined ? records : records.filter(({ toolCallId }) => toolCallId === id)
  assert.equal(
    found.length,
    1,
    `there must be exactly one record${id ? ` for ${id}` : ''}, there are ${found.length}`,
  )
  return found[0] as ToolCallDraft
}

/** Holds whatever happens: one start, one record and one end a call, and nothing secret in what the model read. */
function checkAlways({ seen, results }: Played): void {
  const count = (type: string, callId: string) =>
    seen.events.filter((event) => event.type === type && event.callId === callId).length
  for (const { callId } of seen.records) {
    assert.equal(count('tool.call.start', callId), 1, 'a call must have exactly one start event')
    assert.equal(count('tool.call.end', callId), 1, 'a call must have exactly one end event')
  }
  const everything = results.map(({ text }) => text).join('\n')
  assert.ok(!everything.includes(PLANTED.secret), 'a secret of the host reached the model')
  assert.ok(!everything.includes(PLANTED.folder), 'a host path reached the model')
  assert.ok(!/\n\s+at .+:\d+:\d+/.test(everything), 'a stack reached the model')
}
