import type { ErrorInfo, Outcome } from './error-info.ts'

/** A named folder of a sandbox as an agent may know it: no host path. */
export interface SandboxMountInfo {
  /** One or more segments: `workspace`, `skills/findings-report`. */
  readonly name: string
  readonly mode: 'ro' | 'rw'
  /** Whether the disk under it treats `A` and `a` as one name. */
  readonly ignoresCase: boolean
}

/**
 * Asked for the resolved path of what has been opened, before anything of it is used. Null means “go on”.
 * For listing and search it is asked for every entry; a refused entry is left out and counted.
 */
export type AccessCheck = (permission: 'filesystemRead' | 'filesystemWrite', path: string) => ErrorInfo | null

export interface SandboxCallOptions {
  signal?: AbortSignal
}

/** Where a path leads: links followed, spelling of the mount kept, inside for certain at the time of asking. */
export interface ResolvedPath {
  /** `<mount>/<path>` of the target. */
  path: string
  mount: SandboxMountInfo
  /** `missing`: the parent, or a nearer ancestor, exists and is inside. */
  type: 'file' | 'directory' | 'other' | 'missing'
}

export type LineEnd = 'lf' | 'crlf' | 'cr' | 'mixed' | 'none'

export interface ReadOptions extends SandboxCallOptions {
  /** First line, from 1. Default 1. */
  offset?: number
  /** Number of lines. Default and upper bound: the sandbox's `maxReadLines`. */
  limit?: number
}

/** A window into a text file. Joining the windows of a file gives back its text. */
export interface FileWindow {
  path: string
  text: string
  /** 0 when the window holds no line. */
  startLine: number
  endLine: number
  /** Null where knowing it would mean reading a large file to its end. */
  totalLines: number | null
  totalBytes: number
  truncated: boolean
  /** Line to ask for next, or null at the end of the file. */
  nextOffset: number | null
  /** Hash of the whole file's bytes; null like `totalLines`. */
  sha256: string | null
  eol: LineEnd
  bom: boolean
  encoding: 'utf-8' | 'utf-16le' | 'utf-16be'
  /** Lines that were cut at `maxLineChars`, with their full length in characters (null where unknown). */
  cutLines: { line: number; chars: number | null }[]
}

export interface WriteOptions extends SandboxCallOptions {
  /** Refuse unless the file has this hash. */
  expectedSha256?: string
}

export interface WrittenFile {
  path: string
  bytes: number
  sha256: string
  created: boolean
  previousSha256: string | null
}

export interface TextEdit {
  oldText: string
  newText: string
  /** Default false: `oldText` must then occur exactly once. */
  replaceAll?: boolean
}

export interface EditedFile extends WrittenFile {
  replacements: number
  /** Unified diff with three lines of context. */
  diff: string
}

export interface ListOptions extends SandboxCallOptions {
  recursive?: boolean
  /** Matched against the path below the listed folder; without a slash, against the name. */
  glob?: string
  limit?: number
}

export interface ListEntry {
  path: string
  type: 'file' | 'directory' | 'link' | 'other'
  /** For links: where it leads inside the sandbox, or null when it leads out or nowhere. */
  target?: string | null
  bytes: number | null
  /** ISO 8601, UTC. */
  modifiedAt: string | null
}

/** How many entries were left out of a listing or search, and why. Zero counts are left away. */
export type SkipCounts = Partial<
  Record<
    'denied' | 'unreadable' | 'binary' | 'special' | 'link' | 'hardLink' | 'tooLarge' | 'hidden' | 'ignored',
    number
  >
>

export interface FileList {
  path: string
  entries: ListEntry[]
  truncated: boolean
  leftOut: SkipCounts
}

export interface GrepOptions extends SandboxCallOptions {
  path?: string
  glob?: string
  /** Take the pattern as plain text. */
  literal?: boolean
  ignoreCase?: boolean
  /** Lines of context before and after each match. Default 0. */
  context?: number
  limit?: number
  /** Default `matches`. */
  output?: 'matches' | 'files' | 'count'
  onProgress?: (progress: { filesScanned: number; matches: number }) => void
}

export interface GrepMatch {
  path: string
  /** From 1. */
  line: number
  /** From 1, in characters (UTF-16 code units) of the line. */
  column: number
  /** The line, shortened around the match to `maxGrepLineChars`. */
  text: string
  cut: boolean
  before?: string[]
  after?: string[]
}

export interface GrepResult {
  matches: GrepMatch[]
  /** For `files` and `count`: one entry a file with a match. */
  files: { path: string; count: number }[]
  filesScanned: number
  bytesScanned: number
  /** At least this many matches were seen; exact when `truncated` is false. */
  matchCount: number
  truncated: boolean
  /** Which bounds ended the search early. */
  limitsHit: ('matches' | 'files' | 'bytes' | 'time' | 'lineChars')[]
  leftOut: SkipCounts
}

/**
 * Named mounts and every operation on them.
 * **Contract:** no operation reads, creates or changes anything outside the mounts, whatever the path says and whoever
 * swaps folders for links meanwhile. Operations never reject; results and errors hold sandbox paths only.
 */
export interface Sandbox {
  readonly mounts: readonly SandboxMountInfo[]
  /** `race-free`: opening and checking are one act. `checked`: checked before use; a race in between is not excluded. */
  readonly guarantee: 'race-free' | 'checked'
  resolvePath(path: string): Promise<Outcome<ResolvedPath>>
  readFile(path: string, options?: ReadOptions): Promise<Outcome<FileWindow>>
  writeFile(path: string, content: string, options?: WriteOptions): Promise<Outcome<WrittenFile>>
  editFile(path: string, edits: readonly TextEdit[], options?: WriteOptions): Promise<Outcome<EditedFile>>
  listFiles(path?: string, options?: ListOptions): Promise<Outcome<FileList>>
  grepFiles(pattern: string, options?: GrepOptions): Promise<Outcome<GrepResult>>
  /** The same sandbox, with every operation asking `check` about the resolved path of what it has opened. */
  withAccessCheck(check: AccessCheck): Sandbox
  /** Gives back what it holds open. Closing twice is fine; operations after it fail with `io_error`. */
  close(): void
}
