import type { Finding } from './findings.ts'
import type { Knowledge } from './knowledge.ts'
import { codeSpan, counted, sizeText, table } from './markdown.ts'
import { maskSecrets } from './mask-secrets.ts'
import { PLAIN_FORM } from './report-form.ts'
import { isLogFile } from './searches.ts'

const MAX_FILES = 8
const MAX_TYPES = 6
const MAX_KINDS = 4

/** What was looked at, what was found, and what to look at first. */
export function summaryText(known: Knowledge): string {
  const { folder, findings } = known
  if (folder.failure !== null)
    return `The folder could not be listed, so nothing was looked at: ${folder.failure}`
  if (folder.isEmpty) return 'The folder is empty: there was nothing to look at, and there are no findings.'
  if (folder.files.length === 0) return `The folder holds no files that can be looked at. ${seen(known)}`
  const failed = known.searches.filter(({ failure }) => failure !== null).length
  if (findings.length === 0) {
    const doubt =
      failed > 0 ? `; ${counted(failed, 'search', 'searches')} failed, so this is not the whole picture` : ''
    return `Nothing of what was searched for was found${doubt}. ${seen(known)}`
  }
  const files = new Set(findings.flatMap((finding) => pathsOf(finding))).size
  const first = findings[0] as Finding
  return [
    `**${counted(findings.length, 'finding')}** in ${counted(files, 'file')}. ${seen(known)}`,
    `Look first at ${place(first)}: ${first.text === null ? first.kind : codeSpan(maskSecrets(first.text))}${times(first)}.`,
    sectionCounts(known),
  ].join('\n\n')
}

/** The files with the most findings. */
export function hotSpots({ findings }: Knowledge): string | null {
  const counts = new Map<string, Map<string, number>>()
  for (const finding of findings) {
    const kinds = counts.get(finding.path) ?? new Map<string, number>()
    counts.set(finding.path, kinds.set(finding.kind, (kinds.get(finding.kind) ?? 0) + 1))
  }
  const rows = [...counts]
    .map(([path, kinds]) => ({ path, kinds: [...kinds], total: sum([...kinds.values()]) }))
    .filter(({ total }) => total > 1)
    .sort((one, other) => other.total - one.total)
    .slice(0, MAX_FILES)
    .map(({ path, kinds, total }) => [codeSpan(path), String(total), kindList(kinds)])
  return rows.length === 0 ? null : table(['file', 'findings', 'of which'], rows)
}

function kindList(kinds: readonly (readonly [kind: string, count: number])[]): string {
  const shown = kinds.slice(0, MAX_KINDS).map(([kind, count]) => `${count} × ${kind}`)
  return [...shown, ...(kinds.length > MAX_KINDS ? ['…'] : [])].join(', ')
}

function seen({ folder: { files, isCut } }: Knowledge): string {
  const logs = files.filter(({ path }) => isLogFile(path)).length
  const bytes = sum(files.map((file) => file.bytes))
  const types = new Map<string, number>()
  for (const { path } of files) types.set(typeOf(path), (types.get(typeOf(path)) ?? 0) + 1)
  const most = [...types].sort(([, one], [, other]) => other - one).slice(0, MAX_TYPES)
  const kinds = most.map(([type, count]) => `${count} ${type}`).join(', ')
  const more = types.size > MAX_TYPES ? ', …' : ''
  return `Listed: ${isCut ? 'the first ' : ''}${counted(files.length, 'file')} (${sizeText(bytes)}; ${kinds}${more}), ${counted(logs, 'log')} among them.`
}

function sectionCounts({ form, findings }: Knowledge): string {
  const rows = [
    ...form.sections,
    ...PLAIN_FORM.sections.filter(({ id }) => !form.sections.some((one) => one.id === id)),
  ]
    .map(({ id, heading }) => ({ heading, found: findings.filter(({ section }) => section === id) }))
    .filter(({ found }) => found.length > 0)
    .map(({ heading, found }) => [
      heading,
      String(found.length),
      String(sum(found.map(({ repeats }) => repeats.length + 1))),
      String(new Set(found.flatMap(pathsOf)).size),
    ])
  return table(['', 'findings', 'lines', 'files'], rows)
}

function place({ path, line }: Finding): string {
  return codeSpan(`${path}:${line}`)
}

function times({ repeats }: Finding): string {
  return repeats.length > 0 ? `, ${repeats.length + 1} times` : ''
}

function pathsOf({ path, repeats }: Finding): string[] {
  return [path, ...repeats.map((repeat) => repeat.path)]
}

function typeOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  return dot > 0 ? name.slice(dot) : name
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
