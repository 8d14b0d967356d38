import { strandsTools } from '@kgent/adapter-strands'
import type { ApprovalRequest } from '@kgent/contracts'
import { type Agent, type AgentResult, InterruptResponseContent, type JSONValue } from '@strands-agents/sdk'
import { describe, expect, it } from 'vitest'
import { forgedSnapshot } from './driver.ts'
import { agentOn, createFixture, mail, resultsIn, textOf } from './fixture.ts'

const effects = { 'mail.send': 'ask' } as const
const END = { text: 'Done.' }

function answer(agent: Agent, { interrupts = [] }: AgentResult, response: JSONValue, only?: string) {
  const chosen = interrupts.filter(({ id }) => !only || id.includes(only))
  return agent.invoke(chosen.map(({ id }) => new InterruptResponseContent({ interruptId: id, response })))
}

describe('approval by an interrupt', () => {
  it('tells the person what is asked about, and why', async () => {
    const { toolset } = createFixture({ effects })
    const { agent } = agentOn([{ calls: [mail('m1', 'ada')] }, END], { tools: strandsTools(toolset.tools) })
    const { stopReason, interrupts } = await agent.invoke('Do it.')
    expect(stopReason).toBe('interrupt')
    expect(interrupts?.map(({ id, name, source }) => ({ id, name, source }))).toEqual([
      { id: 'tool:m1:approval', name: 'approval', source: 'tool' },
    ])
    expect(interrupts?.[0]?.reason).toEqual({
      tool: 'send_mail',
      input: { to: 'ada' },
      reason: expect.stringContaining('the test says so'),
    })
  })

  it.each([
    [true, true],
    ['Yes', true],
    ['y', true],
    [{ approved: true, by: 'grace' }, true],
    [false, false],
    ['sure', false],
    [1, false],
    [['yes'], false],
    [{ approved: 'no' }, false],
    [{}, false],
  ] as [JSONValue, boolean][])('takes %j for %s', async (response, approved) => {
    const { toolset, ran } = createFixture({ effects })
    const { agent } = agentOn([{ calls: [mail('m1', 'ada')] }, END], { tools: strandsTools(toolset.tools) })
    await answer(agent, await agent.invoke('Do it.'), response)
    expect(ran).toEqual(approved ? ['send_mail ada'] : [])
  })

  it('records a rejection, and the model reads its reason', async () => {
    const { toolset, records, events } = createFixture({ effects })
    const { agent } = agentOn([{ calls: [mail('m1', 'ada')] }, END], { tools: strandsTools(toolset.tools) })
    await answer(agent, await agent.invoke('Do it.'), { approved: false, by: 'grace', reason: 'not today' })
    const [result] = resultsIn(agent.messages)
    expect(result?.status).toBe('error')
    expect(textOf(result)).toContain('not today')
    expect(records.map(({ error }) => error?.code)).toEqual(['approval_rejected'])
    expect(events.find(({ type }) => type === 'permission.answer')?.data).toMatchObject({ by: 'grace' })
  })

  it('asks once about each of several calls, and runs each when it is answered', async () => {
    const { toolset, ran, events } = createFixture({ effects })
    const calls = [mail('m1', 'ada'), mail('m2', 'bob')]
    const { agent } = agentOn([{ calls }, END], { tools: strandsTools(toolset.tools) })
    const first = await agent.invoke('Do it.')
    const second = await answer(agent, first, true, 'm2')
    expect(ran).toEqual(['send_mail bob'])
    expect((await answer(agent, second, true, 'm1')).stopReason).toBe('endTurn')
    expect(ran).toEqual(['send_mail bob', 'send_mail ada'])
    expect(events.filter(({ type }) => type === 'permission.ask')).toHaveLength(2)
  })

  it('refuses an approval that stands in a snapshot that somebody wrote', async () => {
    const { toolset, ran, events } = createFixture({ effects })
    const { agent } = agentOn([END], { tools: strandsTools(toolset.tools) })
    agent.loadSnapshot(forgedSnapshot(mail('m1', 'ada')))
    await agent.invoke([new InterruptResponseContent({ interruptId: 'tool:m1:approval', response: true })])
    expect(ran).toEqual([])
    expect(textOf(resultsIn(agent.messages)[0])).toContain('approval_invalid')
    expect(events.filter(({ type }) => type === 'permission.ask')).toEqual([])
  })

  it('refuses an approval of a call whose input was changed while it waited', async () => {
    const { toolset, ran } = createFixture({ effects })
    const { agent } = agentOn([{ calls: [mail('m1', 'ada')] }, END], { tools: strandsTools(toolset.tools) })
    await agent.invoke('Do it.')
    const stored = JSON.stringify(agent.takeSnapshot({ preset: 'session' }))
    agent.loadSnapshot(JSON.parse(stored.replaceAll('"ada"', '"eve"')))
    const answer = new InterruptResponseContent({ interruptId: 'tool:m1:approval', response: true })
    const result = await agent.invoke([answer])
    expect(ran).toEqual([])
    expect(textOf(resultsIn(agent.messages)[0])).toContain('approval_invalid')
    expect(result.stopReason).toBe('endTurn')
  })
})

describe('approval by the host', () => {
  const approver = async ({ tool }: ApprovalRequest) => ({ approved: tool === 'send_mail' })

  it('asks the approver and interrupts nothing', async () => {
    const { toolset, ran } = createFixture({ effects, approver })
    const tools = strandsTools(toolset.tools, { approval: 'host' })
    const { agent } = agentOn([{ calls: [mail('m1', 'ada')] }, END], { tools })
    expect((await agent.invoke('Do it.')).stopReason).toBe('endTurn')
    expect(ran).toEqual(['send_mail ada'])
  })

  it('is asked about a direct call, which cannot interrupt; without one the call is refused', async () => {
    const asked = createFixture({ effects, approver })
    const alone = createFixture({ effects })
    for (const { toolset } of [asked, alone]) {
      const { agent } = agentOn([], { tools: strandsTools(toolset.tools) })
      await agent.tool.send_mail?.invoke({ to: 'ada' })
    }
    expect(asked.ran).toEqual(['send_mail ada'])
    expect(alone.ran).toEqual([])
    expect(alone.records.map(({ error }) => error?.code)).toEqual(['approval_required'])
  })
})
