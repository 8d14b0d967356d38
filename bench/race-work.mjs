// What is swapped for what, and the work that is done meanwhile.
import { readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'

/** @typedef {import('./race-place.mjs').Place} Place */
/** @typedef {import('@kgent/sandbox').Sandbox} Sandbox */
/** The name that is swapped, and the target of the link that takes its place. @typedef {(place: Place) => [name: string, target: string]} NamesOf */
/** @typedef {(sandbox: Sandbox, turn: { index: number, place: Place }) => Promise<{ ok: boolean }>} Attempt */

/** @type {NamesOf} */
export const foldersOf = ({ workspace, outside }) => [join(workspace, 'a/d'), join(outside, 'a/d')]

/** @type {Record<string, NamesOf>} */
export const SWAPS = {
  folder: foldersOf,
  file: ({ workspace, outside }) => [join(workspace, 'a/d/f.txt'), join(outside, 'a/d/f.txt')],
  parent: ({ workspace, outside }) => [join(workspace, 'a'), join(outside, 'a')],
  mount: ({ workspace, outside }) => [workspace, outside],
}

/** @type {Record<string, Attempt>} */
export const WORK = {
  read: (sandbox) => sandbox.readFile('a/d/f.txt'),
  write: (sandbox, { index }) =>
    sandbox.writeFile(index % 2 === 0 ? 'a/d/f.txt' : `a/d/new-${index % 40}/x.txt`, 'inside'),
  edit: (sandbox) => sandbox.editFile('a/d/f.txt', [{ oldText: 'inside', newText: 'inside' }]),
  list: (sandbox, { index }) => sandbox.listFiles(index % 2 === 0 ? 'a' : 'a/d', { recursive: true }),
  search: (sandbox, { index }) => sandbox.grepFiles('CAN|in', { path: index % 2 === 0 ? 'a' : 'a/d' }),
}

/**
 * What many programs do: resolve, compare, read.
 * @type {Attempt}
 */
export async function readUnguarded(_sandbox, { place: { workspace } }) {
  const path = join(workspace, 'a/d/f.txt')
  try {
    if (!realpathSync(path).startsWith(`${workspace}/`)) return { ok: false }
    return /** @type {{ ok: boolean }} */ ({ ok: true, value: readFileSync(path, 'utf8') })
  } catch {
    return { ok: false }
  }
}
