import { strandsTools } from '@kgent/adapter-strands'
import { describe, expect, it } from 'vitest'
import { agentOn, createFixture, mail, resultsIn } from './fixture.ts'

const WAIT = { id: 'w1', name: 'wait_for_abort', input: '{}' }

describe('strandsTools', () => {
  it('refuses two tools of one name', () => {
    const [first] = createFixture().toolset.tools
    expect(() => strandsTools(first ? [first, first] : [])).toThrow('Two tools are named send_mail')
  })

  it('sends strict schemas on request', () => {
    const [tool] = createFixture().toolset.tools
    if (!tool) throw new Error('no tool')
    const [made] = strandsTools([tool], { profile: 'strict' })
    expect(made.toolSpec.inputSchema).toEqual(tool.jsonSchema({ profile: 'strict' }))
  })

  it('flags what failed or was refused', async () => {
    const { toolset } = createFixture({ effects: { 'mail.send': 'deny' } })
    const { agent } = agentOn([{ calls: [mail('m1', 'ada')] }, { text: 'Done.' }], {
      tools: strandsTools(toolset.tools),
    })
    await agent.invoke('Do it.')
    expect(resultsIn(agent.messages).map(({ status }) => status)).toEqual(['error'])
  })

  it('aborts a call when the agent is cancelled', async () => {
    const { toolset, records } = createFixture()
    const { agent } = agentOn([{ calls: [WAIT] }], { tools: strandsTools(toolset.tools) })
    const events = agent.stream('Do it.')
    for (;;) {
      const { done, value } = await events.next()
      if (done) {
        expect(value.stopReason).toBe('cancelled')
        break
      }
      if (value.type === 'toolStreamUpdateEvent') agent.cancel()
    }
    expect(records.map(({ status }) => status)).toEqual(['aborted'])
  })

  it('is driven by hand as well, by whoever has a tool and its context', async () => {
    const { toolset, ran } = createFixture()
    const { agent } = agentOn([], { tools: strandsTools(toolset.tools) })
    const result = await agent.tool.send_mail?.invoke({ to: 'ada' })
    expect(result?.status).toBe('success')
    expect(ran).toEqual(['send_mail ada'])
  })
})
