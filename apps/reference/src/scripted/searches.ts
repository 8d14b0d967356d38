/** Sections that findings are sorted into. */
export type FindingSection =
  | 'errors'
  | 'conflicts'
  | 'secrets'
  | 'defects'
  | 'risks'
  | 'open-work'
  | 'warnings'

/** A search that the planner makes, and how its matches are to be understood. */
export interface Search {
  section: FindingSection
  /** What a match is called in the report; markers such as FIXME name themselves. */
  kind: string
  /** RE2 syntax. */
  pattern: string
  /** Where it is made: in logs, or in everything else. */
  area: 'logs' | 'files'
  /** Takes the kind from the text of a match where the search finds several. */
  kindOf?: (text: string) => string | undefined
  /** Whether a line that the pattern finds is really meant; for what RE2 syntax cannot say. */
  means?: (text: string) => boolean
}

/** Names of files that are read as logs. */
export const LOG_FILES = '{*.log,*.log.*,*.out,*.err,*.jsonl,*.ndjson,syslog*}'

/** Whether a path is one that `LOG_FILES` means. */
export function isLogFile(path: string): boolean {
  return /\.(log|out|err|jsonl|ndjson)$|\.log\.[^/]*$|(^|\/)syslog[^/]*$/.test(path)
}

const level = (names: string, pino: number) =>
  String.raw`"(level|severity)" ?: ?"(${names})"|\blevel=(${names})\b|"level" ?: ?${pino}\b`

/** A marker as people write it: behind a comment sign, or before a colon. */
const marker = (names: string) =>
  String.raw`(//|/\*|^\s*\*|#|--|;|%|<!--)\s*@?(${names})\b|(^|\s)(${names})(\([^)]*\))?:`

/** A marker that begins a text in quotes is the subject of a program, not a note in it. */
const isNote = (text: string) =>
  !/(['"`]|\\n)\s*(\/\/|\/\*|#|--|;|%|<!--)?\s*@?(BUG|FIXME|HACK|XXX|TODO)\b/.test(text)

const markerIn = (text: string) => /\b(BUG|FIXME|HACK|XXX|TODO)\b/.exec(text)?.[1]

// Letters in both cases are spelled out: a pattern without flags is searched many times faster.
const SECRET_NAMES =
  '[Pp]assword|PASSWORD|[Pp]asswd|PASSWD|[Ss]ecret|SECRET|[Aa]pi[_-]?[Kk]ey|API[_-]?KEY|[Aa]ccess[_-]?[Tt]oken|ACCESS[_-]?TOKEN'

const SECRETS = [
  '-----BEGIN [A-Z ]*PRIVATE KEY',
  String.raw`\bAKIA[0-9A-Z]{16}\b`,
  String.raw`\b(gh[pousr]_|sk-|xox[abprs]-)[A-Za-z0-9_-]{20,}`,
  String.raw`(${SECRET_NAMES})["']?\s*[:=]\s*["'][^"'\s{}$<>]{8,}["']`,
  String.raw`^\s*(export\s+)?[A-Z0-9_]*(PASSWORD|PASSWD|SECRET|API_?KEY|TOKEN)\s*=\s*[^\s"'{}$<>()]{8,}\s*$`,
  String.raw`://[^/\s:@]+:[^/\s:@{}$<>]{3,}@`,
]

function secretKind(text: string): string {
  if (text.includes('PRIVATE KEY')) return 'possible private key'
  if (/:\/\/[^/\s:@]+:[^/\s@]+@/.test(text)) return 'possible password in an address'
  const key = /\w*(password|passwd|secret|api[_-]?key|access[_-]?token|token)/i.exec(text)?.[0]
  return key ? `possible secret in “${key.slice(0, 40)}”` : 'possible access key'
}

/** What examples put in the place of a secret, and names that stand for other names. */
const PLACEHOLDER =
  /(:|[:=]\s*["']?)(x+|\*+|\.+|pass|passw(or)?d|secret|token|changeme|change-me|example|your[\w-]*|[\w.]*\.(token|secret|password))(["']?\s*[,;]?\s*$|@)/i
const NAME_FOR_NAME = /^\s*(export\s+)?[A-Z0-9_]+\s*=\s*[A-Za-z_.]+\s*$/

const isNoPlaceholder = (text: string) => !PLACEHOLDER.test(text) && !NAME_FOR_NAME.test(text)

const RISKS: readonly (readonly [kind: string, pattern: string])[] = [
  ['swallowed error', String.raw`\bcatch\s*(\([^)]*\))?\s*\{\s*\}|except[^:]*:\s*pass\b|\|\|\s*true\s*$`],
  [
    'not implemented',
    String.raw`raise NotImplementedError|\b(unimplemented|todo)!\(|throw new \w*Error\(.(not implemented|unimplemented)`,
  ],
  [
    'test that does not run as it should',
    String.raw`\b(it|test|describe)\.(only|skip)\(|\bx(it|describe)\(|@(unittest|pytest\.mark)\.skip|@(Disabled|Ignore)\b`,
  ],
]

/** What is looked for, most pressing first. A line that several searches find counts for the first. */
export const SEARCHES: readonly Search[] = [
  {
    section: 'errors',
    kind: 'fatal error',
    area: 'logs',
    pattern: String.raw`\b(FATAL|CRITICAL|PANIC|SEVERE)\b|\bpanic: |[Uu]nhandled ?([Pp]romise ?)?[Rr]ejection|[Uu]ncaught [Ee]xception|[Oo]ut of memory|[Ss]egmentation fault|${level('fatal|critical|panic', 60)}`,
  },
  {
    section: 'errors',
    kind: 'error',
    area: 'logs',
    pattern: String.raw`\b(ERROR|ERR)\b|(^|\s)error:|${level('error|err', 50)}`,
  },
  {
    section: 'errors',
    kind: 'exception',
    area: 'logs',
    pattern: String.raw`^\s*(Caused by: )?([\w$]+\.)*([A-Z]\w*)?(Error|Exception)(: |:?\s*$)`,
  },
  { section: 'conflicts', kind: 'merge conflict', area: 'files', pattern: '^<<<<<<< ' },
  {
    section: 'secrets',
    kind: 'possible secret',
    area: 'files',
    pattern: SECRETS.join('|'),
    kindOf: secretKind,
    means: isNoPlaceholder,
  },
  {
    section: 'defects',
    kind: 'FIXME',
    area: 'files',
    pattern: marker('BUG|FIXME|HACK|XXX'),
    kindOf: markerIn,
    means: isNote,
  },
  {
    section: 'risks',
    kind: 'risky code',
    area: 'files',
    pattern: RISKS.map(([, pattern]) => pattern).join('|'),
    kindOf: (text) => RISKS.find(([, pattern]) => new RegExp(pattern).test(text))?.[0],
  },
  {
    section: 'open-work',
    kind: 'TODO',
    area: 'files',
    pattern: marker('TODO'),
    kindOf: markerIn,
    means: isNote,
  },
  {
    section: 'warnings',
    kind: 'warning',
    area: 'logs',
    pattern: String.raw`\b(WARN|WARNING)\b|${level('warn|warning', 40)}`,
  },
]
