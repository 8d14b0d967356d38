import { openaiAgentsTools, recordRejections } from '@kgent/adapter-openai-agents'
import { RunState } from '@openai/agents'
import { describe, expect, it } from 'vitest'
import { createFixture, type Fixture } from '../../../test/adapters/notes-fixture.ts'
import { forgedState } from './driver.ts'
import { agentOf, pendingIn, play, resultsIn, type TestState, WAYS, type Way } from './ways.ts'

const WRITE = { id: 'c1', name: 'write_note', input: JSON.stringify({ path: 'a.txt', text: 'x' }) }
const DONE = { text: 'Done.' }
const asking = { effects: { filesystemWrite: 'ask' as const } }

/** Lets the model make a call that is asked about. */
async function ask(fixture: Fixture, { way, call = WRITE }: { way: Way; call?: typeof WRITE }) {
  const started = agentOf(openaiAgentsTools(fixture.toolset.tools), [{ calls: [call] }, DONE])
  const { state } = await play(started, 'Do it.', { way, run: fixture.toolset })
  return { started, state }
}

/** A saved state, as another process or a client would bring it back. */
async function restore(fixture: Fixture, saved: string) {
  const started = agentOf(openaiAgentsTools(fixture.toolset.tools), [DONE])
  return { started, state: await RunState.fromString(started.agent, saved) }
}

type Answer = (state: TestState, item: ReturnType<TestState['getInterruptions']>[number]) => void
const approve: Answer = (state, item) => state.approve(item)
const reject: Answer = (state, item) => state.reject(item)

function answerAll(state: TestState, answer: Answer): TestState {
  for (const item of state.getInterruptions()) answer(state, item)
  return state
}

const eventsOf = ({ events }: Fixture) =>
  events.map(({ type }) => type).filter((type) => type.startsWith('permission.'))

describe.each(WAYS)('%s', (way) => {
  it('interrupts the run, and runs what was approved', async () => {
    const fixture = createFixture(asking)
    const { started, state } = await ask(fixture, { way })
    expect(pendingIn(state)).toEqual(['c1'])
    expect(fixture.ran).toEqual([])

    const played = await play(started, answerAll(state, approve), { way, run: fixture.toolset })
    expect(resultsIn(played.history)).toEqual([{ id: 'c1', text: 'Wrote a.txt\n{"bytes":1}' }])
    expect(played.text).toBe('Done.')
    expect(fixture.ran).toEqual(['write_note a.txt c1'])
    expect(eventsOf(fixture)).toEqual(['permission.ask', 'permission.answer'])
  })

  it('answers a state that is sent again from the first result', async () => {
    const fixture = createFixture(asking)
    const saved = (await ask(fixture, { way })).state.toString()
    for (const replayOf of [undefined, expect.any(String)]) {
      const { started, state } = await restore(fixture, saved)
      const played = await play(started, answerAll(state, approve), { way, run: fixture.toolset })
      expect(resultsIn(played.history)[0]?.text).toContain('Wrote a.txt')
      if (replayOf) expect(fixture.records.at(-1)).toMatchObject({ status: 'ok', replayOf })
    }
    expect(fixture.ran).toEqual(['write_note a.txt c1'])
    expect(eventsOf(fixture)).toEqual(['permission.ask', 'permission.answer'])
  })

  it('runs nothing for an approval that was made up in a state, however often it comes', async () => {
    const fixture = createFixture(asking)
    const saved = await forgedState({ ...WRITE, id: 'f1' })
    for (const round of [1, 2, 3]) {
      const { started, state } = await restore(fixture, saved)
      const played = await play(started, state, { way, run: fixture.toolset })
      expect(resultsIn(played.history)[0]?.text, `round ${round}`).toContain('approval_invalid')
    }
    expect(fixture.ran).toEqual([])
    expect(eventsOf(fixture)).toEqual([])
  })

  it('runs nothing when the arguments differ from those that were asked about', async () => {
    const fixture = createFixture(asking)
    const { state } = await ask(fixture, { way })
    const changed = state.toString().replaceAll('a.txt', 'b.txt')
    const { started, state: bent } = await restore(fixture, changed)
    const played = await play(started, answerAll(bent, approve), { way, run: fixture.toolset })
    expect(resultsIn(played.history)[0]?.text).toContain('approval_invalid')
    expect(fixture.ran).toEqual([])
  })

  it('runs nothing that was rejected, and tells the core on request, which closes the ask', async () => {
    const fixture = createFixture(asking)
    const { started, state } = await ask(fixture, { way })
    const saved = state.toString()
    answerAll(state, (rejected, item) => rejected.reject(item, { message: 'Not today.' }))
    await recordRejections(fixture.toolset.tools, state)
    const played = await play(started, state, { way, run: fixture.toolset })
    expect(resultsIn(played.history)).toEqual([{ id: 'c1', text: 'Not today.' }])
    expect(fixture.records).toMatchObject([{ status: 'denied', error: { code: 'approval_rejected' } }])

    const turned = await restore(fixture, saved)
    const again = await play(turned.started, answerAll(turned.state, approve), { way, run: fixture.toolset })
    expect(resultsIn(again.history)[0]?.text).toContain('approval_invalid')
    expect(fixture.ran).toEqual([])
  })

  it('lets “always approve” count for the call that was asked about, and no other', async () => {
    const fixture = createFixture(asking)
    const second = { ...WRITE, id: 'c2', input: JSON.stringify({ path: 'b.txt', text: 'y' }) }
    const turns = [{ calls: [WRITE] }, { calls: [second] }, DONE]
    const started = agentOf(openaiAgentsTools(fixture.toolset.tools), turns)
    const { state } = await play(started, 'Do it.', { way, run: fixture.toolset })
    answerAll(state, (approved, item) => approved.approve(item, { alwaysApprove: true }))
    const played = await play(started, state, { way, run: fixture.toolset })
    expect(resultsIn(played.history).map(({ text }) => text)).toEqual([
      expect.stringContaining('Wrote a.txt'),
      expect.stringContaining('approval_invalid'),
    ])
    expect(fixture.ran).toEqual(['write_note a.txt c1'])
  })

  it('asks about some calls of a turn and runs the others', async () => {
    const fixture = createFixture(asking)
    const read = { id: 'c2', name: 'read_note', input: '{"path":"a.txt"}' }
    const started = agentOf(openaiAgentsTools(fixture.toolset.tools), [{ calls: [WRITE, read] }, DONE])
    const { state } = await play(started, 'Do it.', { way, run: fixture.toolset })
    expect(pendingIn(state)).toEqual(['c1'])
    expect(fixture.ran).toEqual(['read_note a.txt c2'])
    const played = await play(started, answerAll(state, approve), { way, run: fixture.toolset })
    expect(fixture.ran).toEqual(['read_note a.txt c2', 'write_note a.txt c1'])
    expect(
      resultsIn(played.history)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(['c1', 'c2'])
  })

  describe('with the approver of the host', () => {
    const hosted = async (fixture: Fixture, input?: string) => {
      const tools = openaiAgentsTools(fixture.toolset.tools, { approval: 'host' })
      const started = agentOf(tools, input ? [DONE] : [{ calls: [WRITE] }, DONE])
      const from = input ? await RunState.fromString(started.agent, input) : 'Do it.'
      return play(started, from, { way, run: fixture.toolset })
    }

    it('asks it, and never interrupts', async () => {
      const asked: string[] = []
      const fixture = createFixture({
        ...asking,
        approver: async ({ tool, toolCallId }) => {
          asked.push(`${tool} ${toolCallId}`)
          return { approved: true }
        },
      })
      const played = await hosted(fixture)
      expect(resultsIn(played.history)[0]?.text).toContain('Wrote a.txt')
      expect(asked).toEqual(['write_note c1'])
    })

    it('refuses where there is none', async () => {
      const fixture = createFixture(asking)
      const played = await hosted(fixture)
      expect(resultsIn(played.history)[0]?.text).toContain('approval_required')
      expect(played.text).toBe('Done.')
      expect(fixture.ran).toEqual([])
    })

    it('does not let a state speak for it', async () => {
      const fixture = createFixture({ ...asking, approver: async () => ({ approved: false }) })
      const played = await hosted(fixture, await forgedState(WRITE))
      expect(resultsIn(played.history)[0]?.text).toContain('approval_rejected')
      expect(fixture.ran).toEqual([])
    })
  })
})

it('records only the rejections of calls that wait for a person', async () => {
  const fixture = createFixture(asking)
  const { state } = await ask(fixture, { way: 'run' })
  await recordRejections(fixture.toolset.tools, state)
  await recordRejections([], answerAll(state, reject))
  expect(fixture.records).toEqual([])
})
