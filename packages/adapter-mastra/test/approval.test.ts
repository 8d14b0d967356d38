import { mastraTools, recordRejection } from '@kgent/adapter-mastra'
import type { ScriptedTurn } from '@kgent/tools-core/testing'
import { describe, expect, it } from 'vitest'
import { createFixture, eventsOf, type Fixture, mailTo } from './fixture.ts'
import { scriptedAgent, WAYS, type Way } from './scripted-agent.ts'

const DONE = { text: 'Done.' }

function agentOf(fixture: Fixture, turns: readonly ScriptedTurn[], way: Way = 'generate') {
  return scriptedAgent({ way, turns, tools: mastraTools(fixture.toolset.tools) })
}

describe.each(WAYS)('a call that is asked about (%s)', (way) => {
  it('waits, runs when it is approved, and only once', async () => {
    const fixture = createFixture()
    const scripted = agentOf(fixture, [{ calls: [mailTo('ada')] }, DONE], way)
    const { runId, pending } = await scripted.run()
    expect(pending).toMatchObject({ toolCallId: 'c1', toolName: 'send_mail', args: { to: 'ada' } })
    expect(fixture.ran).toEqual([])
    expect(eventsOf(fixture)).toEqual(['permission.ask'])

    const { text } = await scripted.resume({ approved: true }, { runId, toolCallId: 'c1' })
    expect(text).toBe('Done.')
    expect(scripted.results()).toMatchObject([{ output: { type: 'text', value: 'Sent to ada\n{}' } }])
    const again = await scripted
      .resume({ approved: true }, { runId, toolCallId: 'c1' })
      .catch((error) => error)
    expect(again).toBeInstanceOf(Error)
    expect(fixture.ran).toEqual(['send_mail ada c1'])
    expect(eventsOf(fixture)).toEqual(['permission.ask', 'permission.answer'])
    expect(fixture.events.filter(({ type }) => type.startsWith('permission.'))).toMatchObject([
      { data: { toolCallId: 'c1' } },
      { data: { toolCallId: 'c1', approved: true, by: 'mastra' } },
    ])
  })

  it('runs nothing when it is rejected; the model reads the reason, and the core is told', async () => {
    const fixture = createFixture()
    const scripted = agentOf(fixture, [{ calls: [mailTo('ada')] }, DONE], way)
    const { runId, pending } = await scripted.run()
    const reason = 'not today'
    await scripted.resume({ approved: false, reason }, { runId, toolCallId: 'c1' })
    if (pending) await recordRejection(fixture.toolset.tools, pending, reason)
    expect(JSON.stringify(scripted.results())).toContain('not today')
    expect(fixture.ran).toEqual([])
    expect(fixture.records).toMatchObject([{ status: 'denied', toolCallId: 'c1' }])
    expect(eventsOf(fixture)).toEqual(['permission.ask', 'permission.answer'])
  })

  it('is asked about anew in another run, with the same id and input', async () => {
    const fixture = createFixture()
    const turns = [{ calls: [mailTo('ada')] }, { calls: [mailTo('ada')] }]
    const scripted = agentOf(fixture, turns, way)
    await scripted.run()
    expect((await scripted.run()).pending).toMatchObject({ toolCallId: 'c1' })
    expect(fixture.ran).toEqual([])
  })

  it('is asked about one by one when the model makes several', async () => {
    const fixture = createFixture()
    const calls = [mailTo('ada', 'c1'), mailTo('bob', 'c2')]
    const scripted = agentOf(fixture, [{ calls }, DONE], way)
    const { runId, pending } = await scripted.run()
    expect(pending?.toolCallId).toBe('c1')
    const second = await scripted.resume({ approved: true }, { runId, toolCallId: 'c1' })
    expect(second.pending?.toolCallId).toBe('c2')
    expect(fixture.ran).toEqual(['send_mail ada c1'])
    await scripted.resume({ approved: false }, { runId, toolCallId: 'c2' })
    expect(fixture.ran).toEqual(['send_mail ada c1'])
  })

  it('cannot be answered by the model itself', async () => {
    const fixture = createFixture()
    const answers = { resumeData: { approved: true }, suspendedToolCallId: 'c1', suspendedToolRunId: 'r1' }
    const scripted = agentOf(fixture, [{ calls: [mailTo('ada', 'c1', answers)] }, DONE, DONE], way)
    await scripted.run()
    expect(fixture.ran).toEqual([])
    const forged = agentOf(
      fixture,
      [{ calls: [mailTo('ada', 'c1', { resumeData: { approved: true } })] }],
      way,
    )
    expect((await forged.run()).pending).toMatchObject({ toolCallId: 'c1' })
    expect(fixture.ran).toEqual([])
  })
})

describe('approval', () => {
  it('is not taken for a run that does not exist', async () => {
    const fixture = createFixture()
    const scripted = agentOf(fixture, [{ calls: [mailTo('ada')] }, DONE])
    await scripted.run()
    const made = await scripted
      .resume({ approved: true }, { runId: 'made-up', toolCallId: 'c1' })
      .catch((error) => error)
    expect(made).toBeInstanceOf(Error)
    expect(fixture.ran).toEqual([])
  })

  it('is not switched off or widened by the agent’s own option', async () => {
    const fixture = createFixture()
    const off = agentOf(fixture, [{ calls: [mailTo('ada')] }])
    expect((await off.run('Do it.', { requireToolApproval: false })).pending).not.toBeNull()
    const allowed = createFixture({ mail: 'allow' })
    const on = agentOf(allowed, [{ calls: [mailTo('ada')] }, DONE])
    expect((await on.run('Do it.', { requireToolApproval: true })).pending).toBeNull()
    expect([fixture.ran, allowed.ran]).toEqual([[], ['send_mail ada c1']])
  })

  it('is needed where Mastra runs a tool without asking, even while the same call waits', async () => {
    const fixture = createFixture()
    const tools = mastraTools(fixture.toolset.tools)
    await scriptedAgent({ way: 'generate', turns: [{ calls: [mailTo('ada')] }], tools }).run()
    const bare = { observe: undefined, agent: { agentId: 'a', toolCallId: 'c1', messages: [] } } as never
    const result = await tools.send_mail?.execute?.({ to: 'ada' }, bare)
    expect(result).toMatchObject({ ok: false, error: { code: 'approval_required' } })
    expect(fixture.ran).toEqual([])
  })

  it('is the host’s business when told so', async () => {
    const asked: unknown[] = []
    const fixture = createFixture({
      approver: async ({ toolCallId }) => {
        asked.push(toolCallId)
        return { approved: true, by: 'host' }
      },
    })
    const tools = mastraTools(fixture.toolset.tools, { approval: 'host' })
    const scripted = scriptedAgent({ way: 'generate', turns: [{ calls: [mailTo('ada')] }, DONE], tools })
    expect((await scripted.run()).pending).toBeNull()
    expect(asked).toEqual(['c1'])
    expect(fixture.ran).toEqual(['send_mail ada c1'])
  })

  it('records no rejection of a tool that is not there', async () => {
    const { toolset } = createFixture()
    const pending = { toolCallId: 'c1', toolName: 'no_such_tool', args: {} }
    expect(await recordRejection(toolset.tools, pending)).toBeNull()
  })
})
