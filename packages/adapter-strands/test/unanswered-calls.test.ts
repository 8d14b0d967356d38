import { strandsTools, unansweredCalls } from '@kgent/adapter-strands'
import { configureLogging } from '@strands-agents/sdk'
import { beforeEach, describe, expect, it } from 'vitest'
import { agentOn, createFixture, mail, resultsIn, textOf } from './fixture.ts'

const END = { text: 'Done.' }
const BROKEN = { id: 'b1', name: 'send_mail', input: '{"to": "ad' }

beforeEach(() => {
  // Strands reports input that it cannot read on the console as well.
  configureLogging({ debug() {}, info() {}, warn() {}, error() {} })
})

function agentWith(turns: Parameters<typeof agentOn>[0], { toolset }: ReturnType<typeof createFixture>) {
  return agentOn(turns, { tools: strandsTools(toolset.tools), plugins: [unansweredCalls(toolset)] })
}

describe('calls that Strands answers by itself', () => {
  it('end the run without the plugin, when their input is no JSON, and run nothing', async () => {
    const { toolset, ran } = createFixture()
    const { agent } = agentOn([{ calls: [BROKEN] }, END], { tools: strandsTools(toolset.tools) })
    await expect(agent.invoke('Do it.')).rejects.toThrow('unable to parse tool input JSON')
    expect(ran).toEqual([])
  })

  it('are answered beside their neighbours, in order, and stand in the history as objects', async () => {
    const fixture = createFixture()
    const calls = [mail('m1', 'ada'), BROKEN, mail('m2', 'bob'), { ...BROKEN, id: 'b2', input: '[1]' }]
    const { agent, model } = agentWith([{ calls }, END], fixture)
    expect((await agent.invoke('Do it.')).stopReason).toBe('endTurn')
    expect(fixture.ran).toEqual(['send_mail ada', 'send_mail bob'])
    const sent = model.requests[1]?.messages ?? []
    const uses = sent.flatMap(({ content }) => content).filter((block) => block.type === 'toolUseBlock')
    expect(uses.map(({ input }) => input)).toEqual([
      { to: 'ada' },
      { $raw: BROKEN.input },
      { to: 'bob' },
      { $raw: [1] },
    ])
    expect(resultsIn(sent).map(({ status }) => status)).toEqual(['success', 'error', 'success', 'error'])
    expect(fixture.records.filter(({ status }) => status === 'invalid')).toHaveLength(2)
  })

  it('do not become a second call when text follows them', async () => {
    const fixture = createFixture()
    const { agent } = agentWith([{ calls: [BROKEN], text: 'Sent.' }, END], fixture)
    await agent.invoke('Do it.')
    expect(resultsIn(agent.messages)).toHaveLength(1)
    expect(fixture.records.map(({ toolCallId }) => toolCallId)).toEqual(['b1'])
  })

  it('leave an error of the model itself alone', async () => {
    const { agent } = agentWith([], createFixture())
    await expect(agent.invoke('Do it.')).rejects.toThrow('The script has no turn 1.')
  })

  it('never start a tool that the run has and the agent was not given', async () => {
    const { toolset, ran } = createFixture()
    const tools = strandsTools(toolset.tools.filter(({ name }) => name !== 'send_mail'))
    const { agent } = agentOn([{ calls: [mail('m1', 'ada')] }, END], {
      tools,
      plugins: [unansweredCalls(toolset)],
    })
    await agent.invoke('Do it.')
    expect(ran).toEqual([])
    expect(textOf(resultsIn(agent.messages)[0])).toContain('not found')
  })
})
