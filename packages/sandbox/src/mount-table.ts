import { closeSync, openSync, realpathSync, statSync } from 'node:fs'
import { KgentError, type SandboxMountInfo } from '@kgent/contracts'
import { hasDescriptorPaths, O_DIRECTORY, O_PATH } from './descriptors.ts'

/** A folder of the host as it is given to a sandbox. */
export interface SandboxMount {
  /** What agents see: one or more segments, `inputs` or `skills/report`. */
  name: string
  /** Host folder; may be reached through a link. */
  dir: string
  /** Default `ro`. */
  mode?: 'ro' | 'rw'
  /** Whether files with more than one name may be read. Default: `allow` in `ro` mounts, `refuse` in `rw` ones. */
  hardLinks?: 'allow' | 'refuse'
}

/** A mount that is open: its root is held by a descriptor, so that swapping the folder's name gains nothing. */
export interface OpenMount extends SandboxMountInfo {
  /** Real host path at the time of opening. */
  readonly dir: string
  /** Descriptor of the root; -1 where descriptors cannot be walked. */
  readonly root: number
  readonly hardLinks: 'allow' | 'refuse'
}

const MOUNT_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]*(\/[A-Za-z0-9_][A-Za-z0-9_.-]*)*$/

/**
 * Opens the folders of a sandbox.
 * **Throws:** `KgentError` (`config_invalid`) for a bad or doubled name, or a folder that is not there.
 */
export function openMounts(mounts: readonly SandboxMount[]): OpenMount[] {
  const opened: OpenMount[] = []
  try {
    for (const mount of mounts) opened.push(openMount(mount, opened))
    return opened
  } catch (thrown) {
    closeMounts(opened)
    throw thrown
  }
}

export function closeMounts(mounts: readonly OpenMount[]): void {
  for (const { root } of mounts) if (root >= 0) closeSync(root)
}

function openMount(
  { name, dir, mode = 'ro', hardLinks }: SandboxMount,
  earlier: readonly OpenMount[],
): OpenMount {
  if (!MOUNT_NAME.test(name))
    throw invalid(
      `Mount name ${JSON.stringify(name)} must be plain segments such as inputs or skills/report.`,
    )
  const clash = earlier.find(
    (other) => other.name === name || other.name.startsWith(`${name}/`) || name.startsWith(`${other.name}/`),
  )
  if (clash) throw invalid(`Mounts ${clash.name} and ${name} lie in each other. Give them separate names.`)
  const real = realFolder(name, dir)
  return Object.freeze({
    name,
    dir: real,
    mode,
    root: hasDescriptorPaths() ? openSync(real, O_PATH | O_DIRECTORY) : -1,
    hardLinks: hardLinks ?? (mode === 'rw' ? 'refuse' : 'allow'),
    ignoresCase: ignoresCase(real),
  })
}

function realFolder(name: string, dir: string): string {
  try {
    const real = realpathSync(dir)
    if (statSync(real).isDirectory()) return real
  } catch {
    throw invalid(`The folder of mount ${name} does not exist or cannot be opened: ${dir}.`)
  }
  throw invalid(`Mount ${name} must be a folder: ${dir}.`)
}

/** Whether the disk finds the folder under its name in the other case. */
function ignoresCase(dir: string): boolean {
  const other = dir.replace(/[a-z]/i, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
  if (other === dir) return false
  const mine = statSync(dir)
  const found = statSync(other, { throwIfNoEntry: false })
  return found !== undefined && found.ino === mine.ino && found.dev === mine.dev
}

function invalid(message: string): KgentError {
  return new KgentError('config_invalid', message)
}
