/** The formats that are counted line by line, and JSON documents, which are read whole. */
export type DataFormat = 'csv' | 'tsv' | 'jsonl' | 'json'

const FORMAT_OF_ENDING: Record<string, DataFormat> = {
  csv: 'csv',
  tsv: 'tsv',
  jsonl: 'jsonl',
  ndjson: 'jsonl',
  json: 'json',
}

export interface DataFile {
  path: string
  format: DataFormat
  bytes: number
}

/** Files that belong together: one format, and names that differ in numbers only. */
export interface DataSet {
  name: string
  format: DataFormat
  files: DataFile[]
}

/** The file as data, or null for what is none. */
export function asDataFile({ path, bytes }: { path: string; bytes: number }): DataFile | null {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  const format = Object.hasOwn(FORMAT_OF_ENDING, ending) ? FORMAT_OF_ENDING[ending] : undefined
  return format === undefined ? null : { path, format, bytes }
}

/** Groups files by what their names share: `orders-2026-10.csv` and `orders-2026-11.csv` are one set. */
export function dataSets(files: readonly DataFile[]): DataSet[] {
  const sets = new Map<string, DataSet>()
  for (const file of files) {
    const name = file.path.replace(/\d+/g, '#').replace(/#([-_.]?#)+/g, '#')
    const set = sets.get(name) ?? { name, format: file.format, files: [] }
    set.files.push(file)
    sets.set(name, set)
  }
  return [...sets.values()]
}
