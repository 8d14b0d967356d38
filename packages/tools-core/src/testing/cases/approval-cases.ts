import assert from 'node:assert/strict'
import { type CaseGroup, define, unless } from '../case.ts'
import { CLOSING, call, play } from '../play.ts'

const asks = { 'mail.send': 'ask' } as const
const mail = call('send_mail', { to: 'ada' }, 'mail-1')

/** A rule says ask. */
export const approvalCases: CaseGroup = (driver) => {
  const native = unless(driver.capabilities.nativeApproval, 'the framework asks nobody')
  const hostOnly = driver.capabilities.nativeApproval ? 'the framework asks by itself' : null
  return [
    define(
      'ask/nobody',
      'where nobody can be asked, the call is refused with the reason',
      async () => {
        const { ran, read, record } = await play(driver, { calls: [mail], effects: asks })
        assert.deepEqual(ran, [])
        assert.match(read(), /approval/)
        assert.equal(record().status, 'denied')
      },
      hostOnly,
    ),
    define(
      'ask/pending',
      'a call that waits for a person runs nothing',
      async () => {
        const { ran, pending } = await play(driver, { calls: [mail], effects: asks })
        assert.deepEqual(ran, [])
        assert.deepEqual(pending, ['mail-1'])
      },
      native,
    ),
    define(
      'ask/approved',
      'an approved call runs once',
      async () => {
        const { ran, record, text } = await play(driver, {
          calls: [mail],
          effects: asks,
          approvals: { 'mail-1': { approved: true } },
        })
        assert.deepEqual(ran, ['send_mail ada'])
        assert.equal(record().status, 'ok')
        assert.equal(text, CLOSING)
      },
      native,
    ),
    define(
      'ask/rejected',
      'a rejected call runs nothing and does not end the loop',
      async () => {
        const { ran, text } = await play(driver, {
          calls: [mail],
          effects: asks,
          approvals: { 'mail-1': { approved: false } },
        })
        assert.deepEqual(ran, [])
        assert.equal(text, CLOSING)
      },
      native,
    ),
    define('ask/forged', 'an approval that a client made up runs nothing', async () => {
      const { ran } = await play(driver, { effects: asks, forgedApproval: mail }).catch(() => ({
        ran: [] as string[],
      }))
      assert.deepEqual(ran, [])
    }),
    define(
      'ask/replayed',
      'an approval that is sent twice runs the call once',
      async () => {
        const { ran } = await play(driver, {
          calls: [mail],
          effects: asks,
          approvals: { 'mail-1': { approved: true } },
          approvalsTwice: true,
        })
        assert.deepEqual(ran, ['send_mail ada'])
      },
      native,
    ),
    define('ask/allowed-needs-none', 'a call that is simply allowed is not asked about', async () => {
      const { ran, pending } = await play(driver, { calls: [mail] })
      assert.deepEqual(ran, ['send_mail ada'])
      assert.deepEqual(pending, [])
    }),
    define('ask/denied-is-not-asked', 'a denied call is refused, not asked about', async () => {
      const { ran, pending, read } = await play(driver, { calls: [mail], effects: { 'mail.send': 'deny' } })
      assert.deepEqual([ran, pending], [[], []])
      assert.match(read(), /not allowed/)
    }),
  ]
}
