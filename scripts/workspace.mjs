// What the workspace holds, read from its folders: used by the tests over manifests and public names.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * @typedef {object} Manifest
 * @property {string} name
 * @property {Record<string, { '@kgent/source': string }>} [exports]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [peerDependencies]
 * @property {Record<string, string>} [optionalDependencies]
 */

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')

/** Every package and app: its folder and manifest. */
export function workspacePackages() {
  return ['packages', 'apps']
    .flatMap((group) =>
      readdirSync(join(root, group))
        .sort()
        .map((name) => join(root, group, name)),
    )
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .map((folder) => ({ folder, manifest: readManifest(folder) }))
}

/** The public entries of a package: the name that users import, and the source file behind it. */
export function entriesOf(/** @type {{ folder: string, manifest: Manifest }} */ { folder, manifest }) {
  return Object.entries(manifest.exports ?? {})
    .filter(([, target]) => typeof target === 'object')
    .map(([subpath, target]) => ({
      name: subpath === '.' ? manifest.name : `${manifest.name}/${subpath.slice(2)}`,
      file: join(folder, target['@kgent/source']),
    }))
}

/** @param {string} folder @returns {Manifest} */
function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}
