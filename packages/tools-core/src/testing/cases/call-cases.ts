import assert from 'node:assert/strict'
import { type CaseGroup, define, unless } from '../case.ts'
import { CLOSING, call, play } from '../play.ts'

/** Calls that go well. */
export const callCases: CaseGroup = (driver) => [
  define('call/once', 'a call is run once, and the model reads its result', async () => {
    const { ran, read, record, text } = await play(driver, { calls: [call('add_note', { text: 'hello' })] })
    assert.equal(ran.length, 1)
    assert.match(read(), /hello/)
    assert.equal(record().status, 'ok')
    assert.equal(text, CLOSING, 'the loop must go on to the model’s closing text')
  }),
  define(
    'call/id',
    'the model’s call id reaches the tool and the record',
    async () => {
      const { ran, record } = await play(driver, { calls: [call('add_note', { text: 'a' }, 'call-77')] })
      assert.deepEqual(ran, ['add_note a id=call-77'])
      assert.equal(record().toolCallId, 'call-77')
    },
    unless(driver.capabilities.callIds, 'the framework keeps the call id to itself'),
  ),
  define('call/defaults', 'defaults are applied and absent fields stay absent', async () => {
    const { read } = await play(driver, { calls: [call('add_note', { text: 'ab' })] })
    assert.match(read(), /"text":"ab"/)
    assert.match(read(), /"tags":"absent"/)
  }),
  define('call/null', 'null on an optional field is absent, at any depth', async () => {
    const input = { text: 'ab', times: null, tags: null, place: { page: 1, line: null } }
    const { read, record } = await play(driver, { calls: [call('add_note', input)] })
    assert.equal(record().status, 'ok')
    assert.match(read(), /"tags":"absent","place":\{"page":1\}/)
  }),
  define('call/no-arguments', 'a tool without arguments can be called with {} and with nothing', async () => {
    const empty = await play(driver, { calls: [call('get_time', {})] })
    assert.match(empty.read(), /12:00/)
  }),
  define('call/unicode', 'text reaches the tool and comes back unchanged', async () => {
    const { read } = await play(driver, {
      calls: [call('add_note', { text: 'Zoë 漢字 👩‍🚀 "quoted" \\ \n' })],
    })
    assert.ok(read().includes(JSON.stringify('Zoë 漢字 👩‍🚀 "quoted" \\ \n')))
  }),
  define('call/sequence', 'one call after the other: each result is read before the next', async () => {
    const { ran, text, seen } = await play(driver, {
      calls: [call('add_note', { text: 'a' }, 'c1')],
      furtherCalls: [[call('add_note', { text: 'b' }, 'c2')], [call('get_time', {}, 'c3')]],
    })
    assert.equal(ran.length, 3)
    assert.equal(seen.records.length, 3)
    assert.equal(text, CLOSING)
  }),
  define(
    'call/parallel',
    'several calls in one answer are all run, each result with its call',
    async () => {
      const calls = ['c1', 'c2', 'c3', 'c4'].map((id) => call('add_note', { text: `note-${id}` }, id))
      const { results, ran } = await play(driver, { calls })
      assert.equal(ran.length, 4)
      assert.equal(results.length, 4)
      for (const { id, text } of results)
        if (id !== null) assert.ok(text.includes(`note-${id}`), `result of ${id} holds another call's text`)
    },
    unless(driver.capabilities.parallelCalls, 'the framework runs one call an answer'),
  ),
  define('call/large', 'a large result reaches the model as an artifact, not as its content', async () => {
    const { read, record, seen } = await play(driver, { calls: [call('give_much')] })
    assert.match(read(), /artifacts\/[0-9a-f]+\.json/)
    assert.ok(read().length < 10_000)
    assert.equal(record().artifacts.length, 1)
    assert.equal(seen.artifacts.size, 1)
  }),
  define(
    'call/progress',
    'progress is shown while the call runs',
    async () => {
      const said: string[] = []
      await play(driver, { calls: [call('count_up')], onProgress: (message) => said.push(message) })
      assert.ok(
        said.some((message) => message.includes('step')),
        'no progress was shown',
      )
    },
    unless(driver.capabilities.progress, 'the framework shows no progress of a tool'),
  ),
  define(
    'call/abort',
    'a caller’s abort reaches the tool',
    async () => {
      const controller = new AbortController()
      const played = await play(driver, {
        calls: [call('wait_for_abort')],
        signal: controller.signal,
        onStart: () => controller.abort(),
      }).catch(() => null)
      assert.ok(played === null || played.record().status === 'aborted')
    },
    unless(driver.capabilities.abort, 'the framework hands no signal to a tool'),
  ),
]
