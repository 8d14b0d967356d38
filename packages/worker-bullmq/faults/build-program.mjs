import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildProgram as build } from '../../../scripts/build-program.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))

/**
 * Makes one program of a file and the packages' sources.
 * @param {string} source Name of a file beside this one, or a path from here
 */
export function buildProgram(source) {
  return build(join(here, source), join(here, '..'))
}
