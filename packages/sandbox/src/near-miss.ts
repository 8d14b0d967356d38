import { opendirSync } from 'node:fs'
import { type AccessCheck, type ErrorInfo, errorInfo } from '@kgent/contracts'
import type { FolderHandle } from './folder-handle.ts'
import type { Location } from './locate.ts'
import { shown } from './parse-path.ts'
import type { SandboxState } from './sandbox-state.ts'
import { isTemporaryName } from './temporary-name.ts'

const MAX_NAMES = 5_000

/** That nothing is there, with the entry that may have been meant; null where something is. */
export function missing(
  location: Location,
  { state, check }: { state: SandboxState; check: AccessCheck | null },
): ErrorInfo | null {
  if (location.kind !== 'missing') return null
  const mayShow = (path: string) => check === null || check('filesystemRead', path) === null
  const near = nearEntry(location, mayShow) ?? nearMount(location, state)
  const hint = near === null ? undefined : `There is ${shown(near)}: copy that name exactly.`
  return errorInfo('not_found', `Nothing is at ${shown(location.path)}.`, { hint })
}

/** The entry that differs from a missing name only by case, space, accents or form; none that a rule hides. */
function nearEntry(location: Location, mayShow: (path: string) => boolean): string | null {
  const [name] = location.missing
  if (name === undefined) return null
  const wanted = fold(name)
  const parent = location.path.split('/').slice(0, -location.missing.length).join('/')
  for (const candidate of namesIn(location.folder)) {
    const path = `${parent}/${candidate}`
    if (candidate !== name && !isTemporaryName(candidate) && fold(candidate) === wanted && mayShow(path))
      return path
  }
  return null
}

/** The mount whose name was written in another form, and so was taken for a folder of the default mount. */
function nearMount(
  { path, missing: names }: Location,
  { mounts, defaultMount }: SandboxState,
): string | null {
  const written = path.slice(defaultMount.length + 1)
  if (!path.startsWith(`${defaultMount}/`) || written !== names.join('/')) return null
  const mount = mounts.find(({ name }) => {
    const depth = name.split('/').length
    return fold(name) === fold(names.slice(0, depth).join('/'))
  })
  return mount?.name ?? null
}

function* namesIn(folder: FolderHandle): Generator<string> {
  try {
    const directory = opendirSync(folder.self, { bufferSize: 256 })
    try {
      for (let seen = 0; seen < MAX_NAMES; seen += 1) {
        const entry = directory.readSync()
        if (entry === null) return
        yield entry.name
      }
    } finally {
      directory.closeSync()
    }
  } catch {
    // a folder that cannot be listed gives no hints
  }
}

function fold(name: string): string {
  return name.normalize('NFKD').replace(/\p{M}/gu, '').replace(/\s+/gu, ' ').trim().toLowerCase()
}
