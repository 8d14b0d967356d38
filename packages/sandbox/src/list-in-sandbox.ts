import { type AccessCheck, type FileList, type ListOptions, type Outcome, succeed } from '@kgent/contracts'
import { listLocated } from './list-files.ts'
import { locate } from './locate.ts'
import { missing } from './near-miss.ts'
import { type SandboxState, withLocation } from './sandbox-state.ts'
import { listVirtual, virtualFolder } from './virtual-folder.ts'

interface Listing {
  options: ListOptions
  check: AccessCheck | null
}

/** Lists a folder of the disk, or one that exists only as the beginning of mounts' names. */
export async function listFiles(
  state: SandboxState,
  path: string,
  { options, check }: Listing,
): Promise<Outcome<FileList>> {
  const virtual = virtualFolder(state, path)
  if (virtual) return succeed(listVirtual(virtual, check))
  return withLocation(state, { path, access: ['filesystemRead'], check }, (location) => {
    const error = missing(location, { state, check })
    if (error) return { ok: false, error }
    const targetOf = (link: string) => visibleTarget(state, link, check)
    return listLocated(location, { options, limits: state.limits, check, targetOf })
  })
}

/** Where a link leads; null when that is outside, nowhere, or hidden by a rule. */
function visibleTarget(state: SandboxState, link: string, check: AccessCheck | null): string | null {
  const target = locate(state.mounts, link.split('/'), link)
  if (!target.ok) return null
  target.value.release()
  const { kind, path } = target.value
  const isHidden = check !== null && check('filesystemRead', path) !== null
  return kind === 'missing' || isHidden ? null : path
}
