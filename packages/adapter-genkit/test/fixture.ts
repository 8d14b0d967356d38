import { defineTool, okResult } from '@kgent/tools-core'
import { z } from 'zod'
import { createMailFixture, type Fixture, type MailOptions } from '../../../test/adapters/mail-fixture.ts'

export { eventsOf, type Fixture, mailTo } from '../../../test/adapters/mail-fixture.ts'

export function createFixture(options?: MailOptions): Fixture {
  return createMailFixture(testTools, options)
}

function testTools(ran: string[]) {
  return [
    defineTool({
      name: 'send_mail',
      description: 'Send a mail.',
      inputSchema: z.strictObject({ to: z.string(), copies: z.int().optional() }),
      permissions: ['mail.send'],
      handler({ to }, { toolCallId }) {
        ran.push(`send_mail ${to} ${toolCallId}`)
        return okResult(`Sent to ${to}`, {})
      },
    }),
    defineTool({
      name: 'count_up',
      description: 'Report progress, then end.',
      inputSchema: z.strictObject({}),
      permissions: [],
      handler(_input, { progress }) {
        ran.push('count_up')
        progress({ message: 'Step 1', data: { step: 1 } })
        return okResult('Counted', {})
      },
    }),
  ]
}
