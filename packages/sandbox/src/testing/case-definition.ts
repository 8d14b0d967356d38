import { spawnSync } from 'node:child_process'
import type { CaseTree } from './case-tree.ts'
import type { Guard } from './guard.ts'
import type { SandboxCapabilities, SandboxDriver, SandboxSpec } from './sandbox-driver.ts'

/** What a case is made of, before it is bound to an implementation. */
export interface CaseDefinition {
  /** Below `sandbox/`. */
  id: string
  name: string
  needs?: readonly Need[]
  limits?: Partial<SandboxSpec['limits']>
  /** Builds what the case is about, before the sandbox is made. */
  prepare?(tree: CaseTree, settings: CaseSettings): unknown
  run(guard: Guard, tree: CaseTree, settings: CaseSettings): Promise<void>
}

export interface CaseSettings {
  tries: number
  kills: number
  full: boolean
  /** The driver's module, where it names one. */
  module: string
}

/** A capability of the implementation, or something that the machine must offer. */
export type Need =
  | keyof SandboxCapabilities
  | 'module'
  | 'unix'
  | 'fifo'
  | 'device'
  | 'tmpfs'
  | 'modes'
  | 'proc'

const isUnix = process.platform !== 'win32'
const isRoot = process.getuid?.() === 0

const MACHINE: Partial<Record<Need, [offered: () => boolean, reason: string]>> = {
  unix: [() => isUnix, 'links and modes work otherwise on Windows'],
  fifo: [() => has('mkfifo'), 'there is no mkfifo'],
  device: [() => isRoot && has('mknod'), 'only root can make a device'],
  tmpfs: [() => isRoot && process.platform === 'linux' && canMount(), 'only root can mount a small disk'],
  modes: [() => isUnix && !isRoot, 'modes do not stop root'],
  proc: [() => process.platform === 'linux', 'there is no /proc'],
}

/** Why a case does not apply; null when it does. */
export function whyNotApplicable({ needs = [] }: CaseDefinition, driver: SandboxDriver): string | null {
  for (const need of needs) {
    const [offered, reason] = MACHINE[need] ?? [
      () => isAble(driver, need),
      `the implementation has no ${need}`,
    ]
    if (!offered()) return reason
  }
  return null
}

function isAble({ capabilities = {}, module }: SandboxDriver, need: Need): boolean {
  return need === 'module' ? module !== undefined : capabilities[need as keyof SandboxCapabilities] !== false
}

function has(command: string): boolean {
  return isUnix && spawnSync(command, ['--version'], { stdio: 'ignore' }).error === undefined
}

let mountable: boolean | undefined

/** Containers often run as root without the right to mount. */
function canMount(): boolean {
  mountable ??= spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0
  return mountable
}
