import type { EffectiveRule, SandboxMountInfo } from '@kgent/contracts'
import { escapeGlob } from './parse-glob.ts'

const CHANGES = ['filesystemWrite', 'filesystemDelete'] as const

/** The constraints of mounts that rules can say: nothing changes in a read-only one. */
export function sandboxRules(mounts: readonly SandboxMountInfo[] | null): EffectiveRule[] {
  if (mounts === null) return []
  if (!mounts.some(({ mode }) => mode === 'rw')) return CHANGES.map(nothingWritable)
  return mounts
    .filter(({ mode }) => mode === 'ro')
    .flatMap(({ name }) => CHANGES.map((permission) => readOnly(name, permission)))
}

function readOnly(mount: string, permission: string): EffectiveRule {
  return {
    id: `sandbox.${mount}.${permission}`,
    layer: 'sandbox',
    source: `sandbox mount ${mount}`,
    effect: 'deny',
    permission,
    paths: [escapeGlob(mount)],
    reason: `The mount ${mount} is read-only.`,
  }
}

function nothingWritable(permission: string): EffectiveRule {
  return {
    id: `sandbox.${permission}`,
    layer: 'sandbox',
    source: 'sandbox mounts',
    effect: 'deny',
    permission,
    reason: 'The sandbox has no writable mount.',
  }
}
