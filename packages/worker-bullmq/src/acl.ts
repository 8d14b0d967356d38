import { KgentError } from '@kgent/contracts'
import { DEFAULT_PREFIX } from './channels.ts'

const QUEUE = /^[A-Za-z0-9._-]{1,64}$/

/**
 * The Redis rules of a user that may work on these queues and no other: as `ACL SETUSER <name> <rules…>` takes them. A
 * worker of `read` with such a user can neither take a job of `write` nor submit one. Add a password (`>…`) yourself.
 *
 * **Throws:** `KgentError` (`config_invalid`) for a name that is no queue's.
 */
export function aclRules(options: { queues: readonly string[]; prefix?: string }): string[] {
  const { queues, prefix = DEFAULT_PREFIX } = options
  if (queues.length === 0 || ![prefix, ...queues].every((name) => QUEUE.test(name)))
    throw new KgentError(
      'config_invalid',
      'Queues and prefix must be names of letters, digits, dots, hyphens and underscores.',
    )
  return [
    'reset',
    'on',
    ...queues.flatMap((queue) => [`~${prefix}:${queue}:*`, `&${prefix}:${queue}:*`]),
    ...COMMANDS,
  ]
}

/** What BullMQ and this package need; scripts may touch only the keys above. */
const COMMANDS = [
  '-@all',
  '+@connection',
  '+@read',
  '+@write',
  '+@pubsub',
  '+@scripting',
  '+info',
  '-@dangerous',
  '+info',
]
