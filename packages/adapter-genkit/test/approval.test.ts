import { answerAsk, genkitCalls, genkitTools } from '@kgent/adapter-genkit'
import type { ScriptedTurn } from '@kgent/tools-core/testing'
import { genkit, restartTool, type ToolRequestPart } from 'genkit'
import { genkit as betaGenkit } from 'genkit/beta'
import { describe, expect, it } from 'vitest'
import { createFixture, eventsOf, type Fixture, mailTo } from './fixture.ts'
import { type Answer, type ScriptedGenkitOptions, scriptedGenkit, WAYS } from './scripted-genkit.ts'

const DONE = { text: 'Done.' }

function scriptedWith(
  { toolset }: Fixture,
  turns: readonly ScriptedTurn[],
  more: Partial<ScriptedGenkitOptions> = {},
) {
  const settings = { tools: genkitTools(toolset.tools), use: [genkitCalls(toolset)] }
  return scriptedGenkit({ way: 'generate', turns, settings, ...more })
}

/** The options that resume an interrupted run. */
function resume({ messages }: Answer, restart: ToolRequestPart[]) {
  return { prompt: undefined, messages: structuredClone(messages), resume: { restart } }
}

const first = ({ interrupts: [part] }: Answer): ToolRequestPart => {
  if (!part) throw new Error('Nothing waits.')
  return part
}

describe.each(WAYS)('a call that is asked about (%s)', (way) => {
  it.each([
    { instance: 'a stable instance', ai: () => genkit({}) },
    { instance: 'a beta instance', ai: () => betaGenkit({}) as never },
  ])('waits with the reason, runs when it is approved, and only once ($instance)', async ({ ai }) => {
    const fixture = createFixture()
    const scripted = scriptedWith(fixture, [{ calls: [mailTo('ada')] }, DONE, DONE], { way, ai: ai() })
    const asked = await scripted.run()
    expect(first(asked)).toMatchObject({
      toolRequest: { name: 'send_mail', ref: 'c1', input: { to: 'ada' } },
      metadata: { interrupt: { reason: expect.stringContaining('the test says so') } },
    })
    expect(fixture.ran).toEqual([])

    const restart = [answerAsk(first(asked), { approved: true })]
    const done = await scripted.run(resume(asked, restart))
    expect(done.text).toBe('Done.')
    const [result] = scripted.results()
    await scripted.run(resume(asked, restart))
    expect(scripted.results()).toEqual([result])
    expect(fixture.ran).toEqual(['send_mail ada c1'])
    expect(eventsOf(fixture)).toEqual(['permission.ask', 'permission.answer'])
  })

  it('runs nothing when it is rejected; the model and the record have the reason', async () => {
    const fixture = createFixture()
    const scripted = scriptedWith(fixture, [{ calls: [mailTo('ada')] }, DONE], { way })
    const asked = await scripted.run()
    await scripted.run(resume(asked, [answerAsk(first(asked), { approved: false, reason: 'not today' })]))
    expect(scripted.results()[0]?.output).toContain('not today')
    expect(fixture.ran).toEqual([])
    expect(fixture.records).toMatchObject([{ status: 'denied', toolCallId: 'c1' }])
    expect(eventsOf(fixture)).toEqual(['permission.ask', 'permission.answer'])
  })
})

describe('an approval', () => {
  it('runs nothing for other arguments than those that were asked about', async () => {
    const fixture = createFixture()
    const scripted = scriptedWith(fixture, [{ calls: [mailTo('ada')] }, DONE])
    const asked = await scripted.run()
    const answer = answerAsk(first(asked), { approved: true })
    answer.toolRequest.input = { to: 'eve' }
    await scripted.run(resume(asked, [answer]))
    expect(scripted.results()[0]?.output).toContain('approval_invalid')
    expect(fixture.ran).toEqual([])
  })

  it('runs nothing for another call', async () => {
    const fixture = createFixture()
    const scripted = scriptedWith(fixture, [{ calls: [mailTo('ada')] }, DONE])
    const asked = await scripted.run()
    for (const part of asked.messages.flatMap(({ content }) => content))
      if (part.toolRequest) part.toolRequest.ref = 'c2'
    const answer = answerAsk(first(asked), { approved: true })
    answer.toolRequest.ref = 'c2'
    await scripted.run(resume(asked, [answer]))
    expect(scripted.results()[0]?.output).toContain('approval_invalid')
    expect(fixture.ran).toEqual([])
  })

  it('is not meant by a bare restart', async () => {
    const fixture = createFixture()
    const scripted = scriptedWith(fixture, [{ calls: [mailTo('ada')] }, DONE])
    const asked = await scripted.run()
    const bare = await scripted.run(resume(asked, [restartTool(first(asked))])).catch((error) => error)
    expect(bare).toBeInstanceOf(Error)
    expect(fixture.ran).toEqual([])
  })

  it('is only true, not something like it', async () => {
    const fixture = createFixture()
    const scripted = scriptedWith(fixture, [{ calls: [mailTo('ada')] }, DONE])
    const asked = await scripted.run()
    await scripted.run(resume(asked, [restartTool(first(asked), { approved: 'yes' })]))
    expect(scripted.results()[0]?.output).toContain('approval_rejected')
    expect(fixture.ran).toEqual([])
  })

  it('belongs to the call where models give no ids, too', async () => {
    const fixture = createFixture()
    const scripted = scriptedWith(fixture, [{ calls: [mailTo('ada')] }, DONE, DONE], { withoutIds: true })
    const asked = await scripted.run()
    const restart = [answerAsk(first(asked), { approved: true })]
    await scripted.run(resume(asked, restart))
    await scripted.run(resume(asked, restart))
    expect(scripted.results()[0]?.output).toContain('approval_invalid')
    expect(fixture.ran).toEqual(['send_mail ada null'])
  })

  it('reaches only the first of two calls without an id, whose restarts Genkit cannot tell apart', async () => {
    const fixture = createFixture()
    const turns = [{ calls: [mailTo('ada'), mailTo('bob')] }, DONE]
    const scripted = scriptedWith(fixture, turns, { withoutIds: true })
    const asked = await scripted.run()
    const restart = asked.interrupts.map((part) => answerAsk(part, { approved: true }))
    await scripted.run(resume(asked, restart))
    expect(fixture.ran).toEqual(['send_mail ada null'])
    expect(
      scripted.results().filter(({ output }) => String(output).includes('approval_invalid')),
    ).toHaveLength(1)
  })

  it('is the host’s business when told so, whatever a client sends', async () => {
    const asked: unknown[] = []
    const fixture = createFixture({
      approver: async ({ toolCallId }) => {
        asked.push(toolCallId)
        return { approved: asked.length === 1, by: 'host' }
      },
    })
    const tools = genkitTools(fixture.toolset.tools, { approval: 'host' })
    const settings = { tools, use: [genkitCalls(fixture.toolset)] }
    const scripted = scriptedGenkit({
      way: 'generate',
      turns: [{ calls: [mailTo('ada')] }, DONE, DONE],
      settings,
    })
    expect((await scripted.run()).interrupts).toEqual([])
    const made: ToolRequestPart = { toolRequest: { name: 'send_mail', ref: 'c9', input: { to: 'eve' } } }
    const history = { text: '', interrupts: [], messages: [{ role: 'model' as const, content: [made] }] }
    await scripted.run(resume(history, [answerAsk(made, { approved: true })]))
    expect(asked).toEqual(['c1', 'c9'])
    expect(fixture.ran).toEqual(['send_mail ada c1'])
  })

  it('does not repeat the calls beside it', async () => {
    const fixture = createFixture()
    const calls = [mailTo('ada'), { id: 'c2', name: 'count_up', input: '{}' }]
    const scripted = scriptedWith(fixture, [{ calls }, DONE])
    const asked = await scripted.run()
    await scripted.run(resume(asked, [answerAsk(first(asked), { approved: true })]))
    expect(fixture.ran).toEqual(['count_up', 'send_mail ada c1'])
    const read = scripted.results().map(({ ref, output }) => [ref, output])
    expect(Object.fromEntries(read)).toEqual({ c1: 'Sent to ada\n{}', c2: 'Counted\n{}' })
  })
})
