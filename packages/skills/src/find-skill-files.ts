import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, join, sep } from 'node:path'
import type { SkillProblem } from '@kgent/contracts'
import type { OpenRoot } from './skill-roots.ts'

/** A folder that holds a `SKILL.md`, in a place where skills are looked for. */
export interface SkillFolder {
  root: OpenRoot
  dir: string
  /** Name of the file itself: `SKILL.md`, or another spelling of it. */
  fileName: string
  /** Label of the root and path below it, with `/`: what a person is shown. */
  place: string
}

export interface FoundFolders {
  folders: SkillFolder[]
  problems: SkillProblem[]
  /** Files that look like skills where none are meant to be: inside a skill, in `node_modules`, in a hidden folder. */
  skipped: SkillProblem[]
}

/** How deep folders are looked through for files that would have been skills elsewhere. */
const SKIPPED_DEPTH = 3
const MAX_FOLDERS = 5_000
const MAX_SKIPPED_FOLDERS = 2_000

interface Place {
  dir: string
  place: string
  depth: number
  /** Why a `SKILL.md` here is no skill of its own; null where skills are looked for. */
  skipped: Skipped | null
}

interface Skipped {
  reason: string
  /** Whether an author would put a `SKILL.md` there knowing that it is none. */
  isMeant: boolean
}

/**
 * Looks for skills below one root. The rule: a folder with a `SKILL.md`, at most `maxDepth` folders down, not inside
 * another skill, not hidden, not in `node_modules`, not behind a link. What looks like a skill elsewhere is a problem.
 */
export async function findSkillFiles(root: OpenRoot, options: { maxDepth: number }): Promise<FoundFolders> {
  const found: FoundFolders = { folders: [], problems: [], skipped: [] }
  const later: Place[] = []
  const open: Place[] = [{ dir: root.dir, place: root.label, depth: 0, skipped: null }]
  for (let visited = 0; open.length > 0; visited += 1) {
    if (visited >= MAX_FOLDERS) {
      found.problems.push({
        file: root.label,
        reason: `More than ${MAX_FOLDERS} folders; the rest was not searched.`,
      })
      break
    }
    const next = open.shift() as Place
    for (const inner of await visit(next, { root, found, maxDepth: options.maxDepth })) {
      if (inner.skipped === null) open.push(inner)
      else later.push(inner)
    }
  }
  await visitSkipped(later, { root, found, maxDepth: options.maxDepth })
  return found
}

interface Search {
  root: OpenRoot
  found: FoundFolders
  maxDepth: number
}

async function visitSkipped(places: Place[], search: Search): Promise<void> {
  const start = new Map(places.map((place) => [place, 0]))
  for (const [place, below] of start) {
    if (start.size > MAX_SKIPPED_FOLDERS) return
    const inner = await visit(place, search)
    if (below < SKIPPED_DEPTH) for (const next of inner) start.set(next, below + 1)
  }
}

/** Notes what a folder holds and returns the folders in it. */
async function visit(here: Place, search: Search): Promise<Place[]> {
  const entries = await readEntries(here, search)
  const file = skillFileName(entries)
  const isSkill = file !== undefined && noteSkillFile(file, { here, search })
  await noteLinks(entries, { here, search })
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({
      dir: join(here.dir, name),
      place: `${here.place}/${name}`,
      depth: here.depth + 1,
      skipped: here.skipped ?? reasonToSkip(name, { here, isSkill, maxDepth: search.maxDepth }),
    }))
}

async function readEntries(here: Place, { found }: Search): Promise<Dirent[]> {
  try {
    const entries = await readdir(here.dir, { withFileTypes: true })
    return entries.sort((one, other) => (one.name < other.name ? -1 : 1))
  } catch (thrown) {
    const code = (thrown as NodeJS.ErrnoException).code ?? 'unknown fault'
    if (here.skipped === null)
      found.problems.push({ file: here.place, reason: `The folder cannot be read (${code}).` })
    return []
  }
}

function skillFileName(entries: readonly Dirent[]): string | undefined {
  const names = entries.map(({ name }) => name).filter((name) => name.toLowerCase() === 'skill.md')
  return names.includes('SKILL.md') ? 'SKILL.md' : names[0]
}

function noteSkillFile(fileName: string, at: { here: Place; search: Search }): boolean {
  const { here, search } = at
  const { root, found } = search
  const skipped = here.depth === 0 ? AT_THE_ROOT : here.skipped
  if (skipped) {
    const list = skipped.isMeant ? found.skipped : found.problems
    list.push({ file: `${here.place}/${fileName}`, reason: `Skipped: ${skipped.reason}.` })
    return false
  }
  found.folders.push({ root, dir: here.dir, fileName, place: here.place })
  return true
}

const AT_THE_ROOT: Skipped = {
  reason: 'it lies in the skills folder itself; put it in a folder of its own',
  isMeant: false,
}

function reasonToSkip(name: string, at: { here: Place; isSkill: boolean; maxDepth: number }): Skipped | null {
  const { here, isSkill, maxDepth } = at
  if (name === 'node_modules')
    return { reason: 'it lies in node_modules, which is not searched', isMeant: true }
  if (name.startsWith('.')) {
    return { reason: `it lies in the hidden folder ${name}, which is not searched`, isMeant: true }
  }
  if (isSkill) return { reason: `it lies inside the skill ${basename(here.dir)}`, isMeant: true }
  if (here.depth < maxDepth) return null
  return { reason: `it lies more than ${maxDepth} folders deep`, isMeant: false }
}

/** Links to folders are not followed, so that a skill has one place and none lies outside its root. */
async function noteLinks(entries: readonly Dirent[], at: { here: Place; search: Search }): Promise<void> {
  for (const entry of entries.filter((candidate) => candidate.isSymbolicLink())) {
    const target = join(at.here.dir, entry.name)
    const isFolder = await stat(target).then(
      (found) => found.isDirectory(),
      () => false,
    )
    const looksLikeSkill =
      isFolder &&
      (await stat(`${target + sep}SKILL.md`).then(
        () => true,
        () => false,
      ))
    if (!looksLikeSkill) continue
    const file = `${at.here.place}/${entry.name}/SKILL.md`
    at.search.found.problems.push({
      file,
      reason: 'Skipped: its folder is a link, and links to folders are not followed.',
    })
  }
}
