import assert from 'node:assert/strict'
import { type CaseGroup, define, unless } from '../case.ts'
import { CLOSING, call, play } from '../play.ts'

/** Calls that cannot be run, and calls that fail. */
export const failureCases: CaseGroup = (driver) => {
  const { recordsUnknownTools, recordsMalformedInput } = driver.capabilities
  return [
    define('input/wrong-type', 'invalid input runs nothing, and the model reads what to mend', async () => {
      const { ran, read, record, text } = await play(driver, { calls: [call('add_note', { text: 5 })] })
      assert.deepEqual(ran, [])
      assert.match(read(), /text/)
      assert.equal(record().status, 'invalid')
      assert.equal(text, CLOSING)
    }),
    define('input/missing', 'a missing field is named', async () => {
      const { ran, read } = await play(driver, { calls: [call('add_note', {})] })
      assert.deepEqual(ran, [])
      assert.match(read(), /text/)
    }),
    define('input/unknown-key', 'an unknown key is refused by name, not dropped', async () => {
      const { ran, read } = await play(driver, { calls: [call('add_note', { text: 'a', txet: 'b' })] })
      assert.deepEqual(ran, [])
      assert.match(read(), /txet/)
    }),
    define('input/number-as-text', 'a number given as text is refused with the right form', async () => {
      const { ran, read } = await play(driver, { calls: [call('add_note', { text: 'a', times: '2' })] })
      assert.deepEqual(ran, [])
      assert.match(read(), /send the number 2/)
    }),
    define('input/malformed', 'input that is no JSON runs nothing and does not end the loop', async () => {
      const { ran, results, text, seen } = await play(driver, { calls: [call('add_note', '{"text": "a')] })
      assert.deepEqual(ran, [])
      assert.equal(results.length, 1)
      assert.equal(text, CLOSING)
      if (recordsMalformedInput) assert.equal(seen.records[0]?.status, 'invalid')
    }),
    define('input/not-an-object', 'input that is JSON but no object runs nothing', async () => {
      const { ran, text } = await play(driver, { calls: [call('add_note', '["a"]')] })
      assert.deepEqual(ran, [])
      assert.equal(text, CLOSING)
    }),
    define('input/prototype', 'a __proto__ key does no harm', async () => {
      await play(driver, { calls: [call('add_note', '{"text":"a","__proto__":{"polluted":true}}')] })
      assert.equal(({} as { polluted?: boolean }).polluted, undefined)
    }),
    define('input/unknown-tool', 'an unknown tool does not end the loop', async () => {
      const { ran, text, seen } = await play(driver, { calls: [call('no_such_tool', {})] })
      assert.deepEqual(ran, [])
      assert.equal(text, CLOSING)
      if (recordsUnknownTools) assert.equal(seen.records[0]?.error?.code, 'unknown_tool')
    }),
    define('input/inherited-name', 'names of an object’s own machinery are no tools', async () => {
      for (const name of ['constructor', 'toString']) {
        const { ran } = await play(driver, { calls: [call(name, {})] }).catch(() => ({ ran: [] }))
        assert.deepEqual(ran, [])
      }
    }),
    define(
      'failure/thrown',
      'an unexpected exception is a result with a reference, and the loop goes on',
      async () => {
        const { read, record, text } = await play(driver, { calls: [call('throw_error')] })
        assert.match(read(), /reference/)
        assert.equal(record().error?.code, 'internal')
        assert.equal(text, CLOSING)
      },
    ),
    define('failure/soft', 'a failure that the tool reports reaches the model with its hint', async () => {
      const { read, text } = await play(driver, { calls: [call('fail_softly')] })
      assert.match(read(), /There is no ledger of that name/)
      assert.match(read(), /The nearest is “main”/)
      assert.equal(text, CLOSING)
    }),
    define('failure/tool-error', 'a ToolError reaches the model as it was written', async () => {
      const { read } = await play(driver, { calls: [call('fail_softly', { thrown: true })] })
      assert.match(read(), /closed on Sundays/)
    }),
    define('denied/reason', 'a denied call runs nothing, and the model reads why', async () => {
      const { ran, read, record, text } = await play(driver, {
        calls: [call('add_note', { text: 'a' })],
        effects: { 'notes.add': 'deny' },
      })
      assert.deepEqual(ran, [])
      assert.match(read(), /not allowed/)
      assert.match(read(), /the test says so/)
      assert.equal(record().status, 'denied')
      assert.equal(text, CLOSING)
    }),
    define(
      'denied/beside-allowed',
      'a denied call does not stop its neighbours',
      async () => {
        const { ran, results } = await play(driver, {
          calls: [call('add_note', { text: 'a' }, 'c1'), call('get_time', {}, 'c2')],
          effects: { 'notes.add': 'deny' },
        })
        assert.deepEqual(ran, ['get_time'])
        assert.equal(results.length, 2)
      },
      unless(driver.capabilities.parallelCalls, 'the framework runs one call an answer'),
    ),
  ]
}
