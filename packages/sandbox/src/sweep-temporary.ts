import { readdirSync, unlinkSync } from 'node:fs'
import { type FolderHandle, rootHandle } from './folder-handle.ts'
import type { OpenMount } from './mount-table.ts'
import { isTemporaryName, writerOf } from './temporary-name.ts'

const MAX_FOLDERS = 5_000

/** Removes what a writer that died has left in the writable mounts: files that were never renamed into place. */
export function sweepTemporary(mounts: readonly OpenMount[]): void {
  const budget = { folders: MAX_FOLDERS }
  for (const mount of mounts) if (mount.mode === 'rw') sweepFolder(rootHandle(mount), budget)
}

function sweepFolder(folder: FolderHandle, budget: { folders: number }): void {
  budget.folders -= 1
  if (budget.folders < 0) return
  try {
    for (const entry of readdirSync(folder.self, { withFileTypes: true })) {
      if (entry.isDirectory()) sweepBelow(folder, entry.name, budget)
      else if (isTemporaryName(entry.name) && !isAtWork(entry.name)) unlinkSync(folder.entry(entry.name))
    }
  } catch {
    // what cannot be read or removed is left: it stays hidden
  }
}

function sweepBelow(folder: FolderHandle, name: string, budget: { folders: number }): void {
  const below = folder.open(name)
  try {
    sweepFolder(below, budget)
  } finally {
    below.close()
  }
}

function isAtWork(name: string): boolean {
  const pid = writerOf(name)
  if (pid === null) return false
  if (pid === process.pid) return true
  try {
    process.kill(pid, 0)
    return true
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EPERM'
  }
}
