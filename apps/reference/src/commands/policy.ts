import type { AddCommand } from '../run-command.ts'
import { addCheck } from './policy-check.ts'
import { addExplain } from './policy-explain.ts'
import { addReplay } from './policy-replay.ts'

/** `kgent policy`: what a policy says, and what another one would say. */
export const addPolicy: AddCommand = (program, context) => {
  const policy = program.command('policy').description('Look at the policy that a run would have.')
  addExplain(policy, context)
  addCheck(policy, context)
  addReplay(policy, context)
}
