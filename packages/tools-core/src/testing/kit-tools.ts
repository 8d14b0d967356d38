import type { ToolResult } from '@kgent/contracts'
import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { ToolError } from '../tool-error.ts'
import { failure, okResult } from '../tool-result.ts'

/** A secret and a host path that no model may ever see. */
export const PLANTED = { secret: 'planted-secret-4711', folder: '/home/planted/private' } as const

/** Tools of each kind that matters to an adapter. `note` gets a line for each handler that is really started. */
export function kitTools(note: (line: string) => void) {
  return [
    defineTool({
      name: 'add_note',
      title: 'Add note',
      description: 'Add a note and give its text back.',
      inputSchema: z.strictObject({
        text: z.string(),
        times: z.int().min(1).default(1),
        tags: z.array(z.string()).optional(),
        place: z.strictObject({ page: z.int(), line: z.int().optional() }).optional(),
      }),
      permissions: ['notes.add'],
      inputExamples: [{ text: 'hello' }],
      handler({ text, times, tags, place }, { toolCallId }) {
        note(`add_note ${text} id=${toolCallId}`)
        return okResult(`Added ${times}`, {
          text: text.repeat(times),
          tags: tags ?? 'absent',
          place: place ?? 'absent',
        })
      },
    }),
    defineTool({
      name: 'get_time',
      description: 'Say the time of the test.',
      inputSchema: z.strictObject({}),
      permissions: [],
      annotations: { readOnly: true },
      handler() {
        note('get_time')
        return okResult('It is noon', { time: '12:00' })
      },
    }),
    defineTool({
      name: 'throw_error',
      description: 'Fail unexpectedly.',
      inputSchema: z.strictObject({}),
      permissions: [],
      handler() {
        throw new Error(`cannot open ${PLANTED.folder}/file.txt with ${PLANTED.secret}`)
      },
    }),
    defineTool({
      name: 'fail_softly',
      description: 'Fail with a reason.',
      inputSchema: z.strictObject({ thrown: z.boolean().default(false) }),
      permissions: [],
      handler({ thrown }) {
        if (thrown) throw new ToolError('The ledger is closed on Sundays.', { hint: 'Ask again on Monday.' })
        return failure('not_found', 'There is no ledger of that name.', { hint: 'The nearest is “main”.' })
      },
    }),
    defineTool({
      name: 'send_mail',
      description: 'Send a mail; a person must agree.',
      inputSchema: z.strictObject({ to: z.string() }),
      permissions: ['mail.send'],
      handler({ to }) {
        note(`send_mail ${to}`)
        return okResult(`Sent to ${to}`, {})
      },
    }),
    defineTool({
      name: 'give_much',
      description: 'Give more than fits.',
      inputSchema: z.strictObject({}),
      permissions: [],
      handler: () => okResult('Much', { rows: Array.from({ length: 2_000 }, (_, row) => `row ${row}`) }),
    }),
    defineTool({
      name: 'count_up',
      description: 'Report progress.',
      inputSchema: z.strictObject({}),
      permissions: [],
      async handler(_input, { progress }) {
        for (const step of [1, 2, 3]) {
          progress({ message: `step ${step}` })
          await new Promise((resolve) => setImmediate(resolve))
        }
        return okResult('Counted', {})
      },
    }),
    defineTool({
      name: 'wait_for_abort',
      description: 'Wait until the call is cancelled.',
      inputSchema: z.strictObject({}),
      permissions: [],
      handler: (_input, { signal, progress }) =>
        new Promise<ToolResult>((resolve) => {
          signal.addEventListener('abort', () => {
            note('abort reached the tool')
            resolve(okResult('Stopped', {}))
          })
          note('wait_for_abort')
          progress({ message: 'waiting' })
        }),
    }),
  ]
}
