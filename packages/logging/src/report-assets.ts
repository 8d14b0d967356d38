import { readFileSync } from 'node:fs'

/** Style and program of the report page. They are files of the package, so that they can be read and linted as what they are. */
export function reportAssets(): { style: string; script: string } {
  const read = (name: string) => readFileSync(new URL(`../assets/${name}`, import.meta.url), 'utf8')
  return { style: read('report.css'), script: read('report.js') }
}
