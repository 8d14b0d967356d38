import { defineTool, okResult, ToolError } from '@kgent/tools-core'
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
      title: 'Send mail',
      description: 'Send a mail.',
      inputSchema: z.strictObject({ to: z.string(), copies: z.int().optional() }),
      permissions: ['mail.send'],
      inputExamples: [{ to: 'ada' }],
      async handler({ to }, { toolCallId }) {
        ran.push(`send_mail ${to} ${toolCallId}`)
        if (to === 'nobody') throw new ToolError('Nobody has no address.')
        return okResult(`Sent to ${to}`, {})
      },
    }),
    defineTool({
      name: 'count_up',
      description: 'Report progress, then end.',
      inputSchema: z.strictObject({}),
      permissions: [],
      annotations: { readOnly: true },
      async handler(_input, { progress }) {
        for (const step of [1, 2, 3]) progress({ message: `Step ${step}`, data: { step } })
        return okResult('Counted', {})
      },
    }),
  ]
}
