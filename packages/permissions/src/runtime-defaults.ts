import type { EffectiveRule } from '@kgent/contracts'
import type { RuntimeLayer } from './layers.ts'

const ON = {
  filesystemRead: 'Reading inside the sandbox is on by default.',
  filesystemWrite: 'Writing to writable mounts is on by default.',
  memoryWrite: 'Proposing memories is on by default.',
} as const

const DESTRUCTIVE = {
  filesystemDelete: 'Deleting is off until the host program itself turns it on.',
  shell: 'Shell access is off until the host program itself turns it on.',
} as const

/** What holds when nobody says anything. `network` has no rule: it is off because nobody allowed it. */
export function runtimeDefaults({ allowDestructive = [] }: RuntimeLayer): EffectiveRule[] {
  const on = Object.entries(ON).map(([permission, reason]) => defaultRule('allow', permission, reason))
  const destructive = Object.entries(DESTRUCTIVE).map(([permission, reason]) =>
    (allowDestructive as readonly string[]).includes(permission)
      ? defaultRule('allow', permission, 'The host program turned it on.')
      : defaultRule('deny', permission, reason),
  )
  return [...on, ...destructive]
}

/** Where the rules stand that nobody wrote. */
export const RUNTIME_DEFAULT = 'runtime default'

function defaultRule(effect: 'allow' | 'deny', permission: string, reason: string): EffectiveRule {
  return {
    id: `runtime.${permission}`,
    layer: 'runtime',
    source: RUNTIME_DEFAULT,
    effect,
    permission,
    reason,
  }
}
