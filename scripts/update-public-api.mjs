// Writes test/public-api.json anew: `node scripts/update-public-api.mjs`. The test compares against it,
// so that a public name never comes or goes unseen.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'
import { entriesOf, root, workspacePackages } from './workspace.mjs'

export const publicApiFile = join(root, 'test', 'public-api.json')

/** @typedef {{ values: string[], types: string[] }} EntryNames */

/** The public names of every entry, read from its export statements. */
export function readPublicApi() {
  const entries = workspacePackages().flatMap(entriesOf)
  return Object.fromEntries(
    entries.map(({ name, file }) => [name, exportedNames(readFileSync(file, 'utf8'), file)]),
  )
}

/**
 * Reads what an entry exports. A user is to find the public names in one place, so `export *` is refused.
 * @param {string} source @param {string} file @returns {EntryNames}
 */
export function exportedNames(source, file) {
  const names = { values: /** @type {string[]} */ ([]), types: /** @type {string[]} */ ([]) }
  const { module, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  for (const { exportName, isType } of module.staticExports.flatMap(({ entries }) => entries)) {
    if (exportName.kind === 'Default') throw new Error(`${file}: give the default export a name.`)
    if (!exportName.name) throw new Error(`${file}: name every export instead of \`export *\`.`)
    ;(isType ? names.types : names.values).push(exportName.name)
  }
  return { values: names.values.sort(), types: names.types.sort() }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(publicApiFile, `${JSON.stringify(readPublicApi(), null, 2)}\n`)
}
