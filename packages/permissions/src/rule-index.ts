import type { CompiledRule } from './compile-rule.ts'
import type { GlobPath } from './parse-glob.ts'
import { respell } from './path-spelling.ts'
import type { Subject } from './subject.ts'

/**
 * Rules in deciding order, sorted into the folders that their paths begin with, so that a decision looks at the few that
 * can match. Folders are kept without case and by two names at most: a superset, never a decision.
 */
export interface RuleIndex {
  readonly all: readonly CompiledRule[]
  readonly anywhere: readonly CompiledRule[]
  readonly byFolder: ReadonlyMap<string, readonly CompiledRule[]>
}

/** Names that every path of a glob begins with. */
const DEPTH = 2

export function indexRules(rules: readonly CompiledRule[]): RuleIndex {
  const anywhere: CompiledRule[] = []
  const byFolder = new Map<string, CompiledRule[]>()
  for (const rule of rules) {
    const folders = foldersOf(rule)
    if (folders === null) anywhere.push(rule)
    for (const folder of folders ?? []) {
      const known = byFolder.get(folder)
      if (known) known.push(rule)
      else byFolder.set(folder, [rule])
    }
  }
  return { all: rules, anywhere, byFolder }
}

/** Null where the rule can match in any folder, or without a path. */
function foldersOf({ paths }: CompiledRule): Set<string> | null {
  const folders = paths?.globs.map(folderOf) ?? ['']
  return folders.includes('') ? null : new Set(folders)
}

function folderOf(glob: GlobPath): string {
  const names: string[] = []
  for (const segment of glob.slice(0, DEPTH)) {
    if (segment.kind !== 'name') break
    names.push(respell(segment.name, 'folded'))
  }
  return names.join('/')
}

/** Lists that hold every rule which can match, each in deciding order. */
export function candidateLists(index: RuleIndex, { path }: Subject): (readonly CompiledRule[])[] {
  const lists = [index.anywhere]
  if (path === undefined || index.byFolder.size === 0) return lists
  const folder = firstNames(path)
  for (const name of folder.includes('/') ? [folder.slice(0, folder.indexOf('/')), folder] : [folder]) {
    const list = index.byFolder.get(name)
    if (list) lists.push(list)
  }
  return lists
}

function firstNames(path: string): string {
  const second = path.indexOf('/', path.indexOf('/') + 1)
  return respell(second < 0 ? path : path.slice(0, second), 'folded')
}
