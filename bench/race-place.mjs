// The folders of a race: a workspace, and an outside of the same shape whose every name and content is known.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** @typedef {{ base: string, workspace: string, outside: string }} Place */

const OUTSIDE = { 'a/d/f.txt': 'CANARY', 'a/d/CANARY-name.txt': 'CANARY', 'a/d/sub/deep.txt': 'CANARY' }

/** @returns {Place} */
export function makePlace() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'kgent-race-')))
  const place = { base, workspace: join(base, 'workspace'), outside: join(base, 'outside') }
  for (const [path, content] of Object.entries(OUTSIDE)) put(join(place.outside, path), content)
  put(join(place.workspace, 'a/d/f.txt'), 'inside')
  put(join(place.workspace, 'a/d/sub/deep.txt'), 'inside')
  return place
}

/** @param {string} path @param {string} content */
function put(path, content) {
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, content)
}

/**
 * How many names outside came, went, or hold something else.
 * @param {Place} place
 */
export function outsideChanged({ outside }) {
  const found = readdirSync(outside, { recursive: true, encoding: 'utf8' }).filter(
    (path) => !statSync(join(outside, path)).isDirectory() || !['a', 'a/d', 'a/d/sub'].includes(path),
  )
  const expected = Object.entries(OUTSIDE)
  const wrong = expected.filter(([path, content]) => read(join(outside, path)) !== content)
  return wrong.length + found.filter((path) => !Object.hasOwn(OUTSIDE, path)).length
}

/** @param {string} path */
function read(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}

/** @param {Place} place */
export function cleanUp({ base }) {
  rmSync(base, { recursive: true, force: true, maxRetries: 5 })
}
