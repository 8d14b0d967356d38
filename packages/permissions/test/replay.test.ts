import {
  buildEffectivePolicy,
  type PermissionDecision,
  type PolicyLayers,
  replayRecords,
  type ToolCallRecord,
} from '@kgent/permissions'
import { describe, expect, it } from 'vitest'

const sandbox = {
  mounts: [
    { name: 'workspace', mode: 'rw' as const, ignoresCase: true },
    { name: 'inputs', mode: 'ro' as const, ignoresCase: false },
  ],
}

type Asked = { permission: string; path?: string; scope?: string; resource?: string }

/** A record as the log holds it, decided by the policy of `layers`. */
function recordOf(layers: PolicyLayers, tool: string, asked: Asked[], seq = 1): ToolCallRecord {
  const policy = buildEffectivePolicy({ sandbox, ...layers })
  return record(
    tool,
    asked.map((request) => policy.check({ tool, ...request })),
    seq,
  )
}

function record(tool: string, decisions: PermissionDecision[], seq = 1): ToolCallRecord {
  const written = {
    v: 1,
    seq,
    runId: 'run-1',
    callId: `call-${seq}`,
    toolCallId: null,
    tool,
    attempt: 1,
    startedAt: '2026-12-01T10:00:00.000Z',
    durationMs: 1,
    status: 'ok',
    summary: '',
    decisions,
    input: { sha256: '', bytes: 0, shape: {} },
    output: { sha256: '', bytes: 0 },
    artifacts: [],
    error: null,
    prev: null,
  }
  return JSON.parse(JSON.stringify(written))
}

describe('replay', () => {
  it('lists the calls that another policy would decide differently, both ways', async () => {
    const old: PolicyLayers = {
      config: { rules: [{ effect: 'deny', permission: 'filesystemRead', paths: ['inputs/a'] }] },
    }
    const records = [
      recordOf(old, 'read_file', [{ permission: 'filesystemRead', path: 'inputs/a/x' }], 1),
      recordOf(old, 'read_file', [{ permission: 'filesystemRead', path: 'inputs/b' }], 2),
      recordOf(old, 'write_memory', [{ permission: 'memoryWrite', scope: 'team' }], 3),
      recordOf(old, 'list_skills', [], 4),
      recordOf(old, 'write_file', [{ permission: 'filesystemWrite', path: 'workspace/Plan.MD' }], 5),
    ]
    const policy = buildEffectivePolicy({
      sandbox,
      config: {
        rules: [
          { effect: 'ask', permission: 'memoryWrite', scopes: ['team'] },
          { effect: 'deny', permission: '*', paths: ['workspace/plan.md'] },
        ],
      },
    })
    const report = await replayRecords(records, policy)
    expect(report).toMatchObject({ calls: 5, decisions: 4, unreadable: 0 })
    expect(
      report.changed.map(({ seq, tool, changes }) => [
        seq,
        tool,
        changes.map(({ was, now, change }) => [was.decision, now.decision, change]),
      ]),
    ).toEqual([
      [1, 'read_file', [['deny', 'allow', 'looser']]],
      [3, 'write_memory', [['allow', 'ask', 'stricter']]],
      [5, 'write_file', [['allow', 'deny', 'stricter']]],
    ])
  })

  it('finds nothing when the policy is the one that decided', async () => {
    const layers: PolicyLayers = {
      runtime: { allowDestructive: ['shell'] },
      config: {
        network: true,
        rules: [
          { effect: 'deny', permission: 'network', tools: ['fetch'] },
          { effect: 'allow', permission: 'index.add', paths: ['inputs/docs'] },
          { effect: 'allow', permission: 'crm.write', scopes: ['sales'] },
        ],
      },
    }
    const asked: Asked[] = [
      { permission: 'network', resource: 'api.example.com' },
      { permission: 'shell' },
      { permission: 'index.add', path: 'inputs/docs/a' },
      { permission: 'filesystemRead', path: 'skills' },
      { permission: 'filesystemDelete', path: 'workspace/a' },
    ]
    const records = ['fetch', 'other'].map((tool, index) => recordOf(layers, tool, asked, index + 1))
    const { changed, decisions } = await replayRecords(records, buildEffectivePolicy({ sandbox, ...layers }))
    expect(decisions).toBe(10)
    expect(changed).toEqual([])
  })

  it('takes the strictest reading where a record does not say what kind of resource it was', async () => {
    const before: PolicyLayers = { config: { rules: [{ effect: 'allow', permission: 'crm.write' }] } }
    const records = [recordOf(before, 'crm', [{ permission: 'crm.write', scope: 'sales' }])]
    const after = buildEffectivePolicy({
      config: {
        rules: [
          { effect: 'allow', permission: 'crm.write' },
          { effect: 'deny', permission: 'crm.write', scopes: ['sales'] },
        ],
      },
    })
    expect((await replayRecords(records, after)).changed).toMatchObject([
      { changes: [{ change: 'stricter' }] },
    ])
  })

  it('reads a stream, leaves what the sandbox refused as it was, and counts what is no record', async () => {
    async function* stream() {
      const refused: PermissionDecision = {
        permission: 'filesystemRead',
        resource: '../../etc/passwd',
        decision: 'deny',
        layer: 'sandbox',
        rule: 'path_outside',
        reason: 'leads out',
        requestedBy: [],
      }
      yield record('read_file', [refused])
      yield { torn: true } as unknown as ToolCallRecord
      yield null as unknown as ToolCallRecord
    }
    expect(await replayRecords(stream(), buildEffectivePolicy())).toEqual({
      calls: 1,
      decisions: 0,
      unreadable: 2,
      changed: [],
    })
  })

  it('shows what a policy in observe mode would refuse', async () => {
    const records = [recordOf({ config: { network: true } }, 'fetch', [{ permission: 'network' }])]
    const { changed } = await replayRecords(
      records,
      buildEffectivePolicy({ config: { network: false, mode: 'observe' } }),
    )
    expect(changed[0]?.changes[0]).toMatchObject({
      change: 'stricter',
      now: { decision: 'allow', observed: 'deny' },
    })
  })
})
