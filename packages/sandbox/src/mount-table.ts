import { closeSync, openSync, realpathSync, statSync } from 'node:fs'
import { sep } from 'node:path'
import { KgentError, type SandboxMountInfo } from '@kgent/contracts'
import { hasDescriptorPaths, O_DIRECTORY, O_PATH } from './descriptors.ts'
import { ignoresCase } from './spelling.ts'

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
export interface OpenMount extends SandboxMountInfo, FolderIdentity {
  /** Real host path at the time of opening. */
  readonly dir: string
  /** Descriptor of the root; -1 where descriptors cannot be walked. */
  readonly root: number
  readonly hardLinks: 'allow' | 'refuse'
  /** Whether one entry may be found under several spellings. */
  readonly hasAliases: boolean
  /** Roots of other mounts that lie below this one: they are reached by their own names only. */
  readonly nested: readonly FolderIdentity[]
}

export interface FolderIdentity {
  readonly dev: number
  readonly ino: number
}

const MOUNT_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]*(\/[A-Za-z0-9_][A-Za-z0-9_.-]*)*$/

/**
 * Opens the folders of a sandbox.
 * **Throws:** `KgentError` (`config_invalid`) for a bad or doubled name, a folder that is not there, or one that is given twice.
 */
export function openMounts(mounts: readonly SandboxMount[]): OpenMount[] {
  const found = mounts.map(findFolder)
  for (const [index, folder] of found.entries()) refuseClash(folder, found.slice(0, index))
  const opened: OpenMount[] = []
  try {
    for (const folder of found) opened.push(openMount(folder, found))
    return opened
  } catch (thrown) {
    closeMounts(opened)
    throw thrown
  }
}

export function closeMounts(mounts: readonly OpenMount[]): void {
  for (const { root } of mounts) if (root >= 0) closeSync(root)
}

/** Whether a folder is the root of another mount below this one. */
export function isNestedMount({ nested }: OpenMount, folder: FolderIdentity): boolean {
  return nested.some(({ dev, ino }) => dev === folder.dev && ino === folder.ino)
}

export function isRootOf(mount: OpenMount, { dev, ino }: FolderIdentity): boolean {
  return mount.dev === dev && mount.ino === ino
}

interface FoundFolder extends FolderIdentity {
  mount: SandboxMount
  /** Real host path. */
  dir: string
}

function findFolder(mount: SandboxMount): FoundFolder {
  const { name, mode = 'ro', hardLinks = 'allow' } = mount
  if (typeof name !== 'string' || !MOUNT_NAME.test(name))
    throw invalid(
      `Mount name ${JSON.stringify(name)} must be plain segments such as inputs or skills/report.`,
    )
  if (mode !== 'ro' && mode !== 'rw') throw invalid(`The mode of mount ${name} must be ro or rw.`)
  if (hardLinks !== 'allow' && hardLinks !== 'refuse')
    throw invalid(`hardLinks of mount ${name} must be allow or refuse.`)
  const dir = realFolder(name, mount.dir)
  const { dev, ino } = statSync(dir)
  return { mount, dir, dev, ino }
}

function refuseClash({ mount: { name }, dev, ino }: FoundFolder, earlier: readonly FoundFolder[]): void {
  for (const other of earlier) {
    const { name: otherName } = other.mount
    if (otherName === name || otherName.startsWith(`${name}/`) || name.startsWith(`${otherName}/`))
      throw invalid(`Mounts ${otherName} and ${name} lie in each other. Give them separate names.`)
    if (other.dev === dev && other.ino === ino && ino !== 0)
      throw invalid(
        `Mounts ${otherName} and ${name} are the same folder: a rule about one would not hold for the other. Keep one.`,
      )
  }
}

function openMount({ mount, dir, dev, ino }: FoundFolder, all: readonly FoundFolder[]): OpenMount {
  const { name, mode = 'ro', hardLinks = mode === 'rw' ? 'refuse' : 'allow' } = mount
  const isCaseIgnored = ignoresCase(dir)
  const inside = dir.endsWith(sep) ? dir : `${dir}${sep}`
  return Object.freeze({
    name,
    dir,
    dev,
    ino,
    mode,
    root: hasDescriptorPaths() ? openSync(dir, O_PATH | O_DIRECTORY) : -1,
    hardLinks,
    ignoresCase: isCaseIgnored,
    hasAliases: isCaseIgnored || process.platform !== 'linux',
    nested: all.filter((other) => other.dir.startsWith(inside)).map(({ dev, ino }) => ({ dev, ino })),
  })
}

function realFolder(name: string, dir: string): string {
  try {
    const real = realpathSync.native(dir)
    if (statSync(real).isDirectory()) return real
  } catch {
    throw invalid(`The folder of mount ${name} does not exist or cannot be opened: ${dir}.`)
  }
  throw invalid(`Mount ${name} must be a folder: ${dir}.`)
}

function invalid(message: string): KgentError {
  return new KgentError('config_invalid', message)
}
