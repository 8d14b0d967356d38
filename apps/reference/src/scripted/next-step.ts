import type { JsonObject } from '@kgent/contracts'
import type { DoneCall } from './conversation.ts'
import { FOLDER, OWN_FILES } from './folder-view.ts'
import { type Knowledge, knowledgeFrom, REPORT_SKILL, readmeOf } from './knowledge.ts'
import { counted } from './markdown.ts'
import { memoryProposal } from './memory-proposal.ts'
import { searchInput } from './search-answers.ts'
import { isLogFile, SEARCHES } from './searches.ts'
import { missingWindow } from './whole-answer.ts'
import { windowsToRead } from './windows.ts'
import { writeReport } from './write-report.ts'

/** What the planner does next: a word about it, and the calls to make at once; without calls it has ended. */
export interface Step {
  say: string
  calls: { tool: string; input: JsonObject }[]
}

/** Where the report goes; the second place is for a policy that forbids the first. */
const REPORT_PATHS = ['deliverables/report.md', 'workspace/report.md']

const CALLS_AT_ONCE = 8

/** The next step of the main job, from the answers so far and nothing else. */
export function nextStep(calls: readonly DoneCall[]): Step {
  const known = knowledgeFrom(calls)
  for (const phase of PHASES) {
    const step = phase(known)
    if (step && step.calls.length > 0) return step
  }
  return { say: closingWords(known), calls: [] }
}

type Phase = (known: Knowledge) => Step | null

const PHASES: readonly Phase[] = [
  lookAround,
  readArtifacts,
  lookDeeper,
  readAboutIt,
  search,
  countCutSearches,
  readWindows,
  tryForbidden,
  remember,
  report,
]

function lookAround({ calls }: Knowledge): Step | null {
  if (made(calls, 'list_files')) return null
  return {
    say: 'Looking around: the folder and the skills.',
    calls: [call('list_files', { path: FOLDER }), call('list_skills', {})],
  }
}

function lookDeeper({ calls, folder }: Knowledge): Step | null {
  if (folder.isEmpty || folder.failure !== null) return null
  if (calls.some(({ tool, input }) => tool === 'list_files' && input.recursive === true)) return null
  const without = folder.skipped.length > 0 ? `, without ${folder.skipped.join(', ')}` : ''
  return {
    say: `Listing everything below ${FOLDER}${without}.`,
    calls: [call('list_files', { path: FOLDER, recursive: true, glob: OWN_FILES })],
  }
}

function readAboutIt({ calls, folder }: Knowledge): Step | null {
  const readme = readmeOf(folder)
  const step: Step = {
    say: 'Loading the skill for the report, and seeing what the folder says about itself.',
    calls: [],
  }
  if (!made(calls, 'load_skill') && skillIds(calls).includes(REPORT_SKILL))
    step.calls.push(call('load_skill', { skillId: REPORT_SKILL }))
  if (readme !== null && !calls.some(({ tool, input }) => tool === 'read_file' && input.path === readme))
    step.calls.push(call('read_file', { path: readme, limit: 30 }))
  return step
}

function search({ calls, folder }: Knowledge): Step | null {
  if (made(calls, 'grep_files') || folder.files.length === 0) return null
  const logs = folder.files.filter(({ path }) => isLogFile(path)).length
  const hasLogs = logs > 0 || folder.isCut
  const hasFiles = logs < folder.files.length || folder.isCut
  const useful = SEARCHES.filter(({ area }) => (area === 'logs' ? hasLogs : hasFiles))
  const where = `${counted(folder.files.length, 'file')}, ${counted(logs, 'log')} among them`
  return {
    say: `Searching ${folder.isCut ? 'more than ' : ''}${where}.`,
    calls: useful.map((one) => call('grep_files', searchInput(one))),
  }
}

/** Answers too large to inline lie in artifacts, which are read like any other file. */
export function readArtifacts({ calls }: Pick<Knowledge, 'calls'>): Step | null {
  const windows = calls.map((done) => missingWindow(done, calls)).filter((input) => input !== null)
  return {
    say: 'Reading answers that were too large to inline.',
    calls: windows.map((input) => call('read_file', input)),
  }
}

/** A search that was cut short is made again for its counts only. */
function countCutSearches({ calls, searches }: Knowledge): Step | null {
  const uncounted = searches.filter(
    ({ search: { pattern }, isCut, limits }) =>
      isCut &&
      limits.includes('matches') &&
      !calls.some(({ input }) => input.pattern === pattern && input.output === 'count'),
  )
  return {
    say: `Counting what ${counted(uncounted.length, 'search', 'searches')} could not show in full.`,
    calls: uncounted.map((answer) => {
      const { limit: _limit, ...input } = searchInput(answer.search)
      return call('grep_files', { ...input, output: 'count' })
    }),
  }
}

function readWindows({ calls, findings, form }: Knowledge): Step | null {
  const windows = windowsToRead(findings, form.contextLines).filter(
    (window) => !calls.some(({ input }) => isSameWindow(input, window)),
  )
  const next = windows.slice(0, CALLS_AT_ONCE)
  return {
    say: `Reading the lines around ${counted(next.length, 'finding')}.`,
    calls: next.map((window) => call('read_file', window)),
  }
}

/** Shows on purpose what a refusal looks like: one write into a folder that may only be read. */
function tryForbidden({ calls, folder }: Knowledge): Step | null {
  if (folder.readOnlyMount === null || made(calls, 'write_file')) return null
  const path = `${folder.readOnlyMount}/written-by-the-agent.txt`
  return {
    say: `Trying one thing that must not work: a write into ${folder.readOnlyMount}, which is read-only.`,
    calls: [call('write_file', { path, content: 'The policy is expected to refuse this.\n' })],
  }
}

function remember(known: Knowledge): Step | null {
  const tries = known.calls.filter(({ tool }) => tool === 'write_memory')
  const scopes = tries[0]?.failure === 'memory_scope' ? tries[0].data?.scopes : undefined
  const scope = Array.isArray(scopes) ? scopes[0] : undefined
  if (tries.length > 1 || (tries.length === 1 && typeof scope !== 'string')) return null
  return {
    say: 'Proposing one thing to remember.',
    calls: [call('write_memory', { ...memoryProposal(known), ...(typeof scope === 'string' && { scope }) })],
  }
}

function report(known: Knowledge): Step | null {
  const tries = known.calls.filter(
    ({ tool, input }) => tool === 'write_file' && REPORT_PATHS.includes(String(input.path)),
  )
  const path = REPORT_PATHS[tries.length]
  if (path === undefined || tries.some(({ failure }) => failure === null)) return null
  return { say: 'Writing the report.', calls: [call('write_file', { path, content: writeReport(known) })] }
}

function closingWords({ calls, findings, folder }: Knowledge): string {
  const written = calls.find(
    ({ tool, input, failure }) =>
      tool === 'write_file' && failure === null && REPORT_PATHS.includes(String(input.path)),
  )
  const last = calls.findLast(({ tool }) => tool === 'write_file')
  if (!written) return `The report could not be written: ${last?.summary ?? 'there is no tool for it'}`
  const what = folder.isEmpty
    ? 'the folder is empty'
    : folder.files.length === 0
      ? 'nothing could be looked at'
      : counted(findings.length, 'finding')
  return `The report is in ${String(written.input.path)}: ${what}.`
}

export function made(calls: readonly DoneCall[], tool: string): boolean {
  return calls.some((done) => done.tool === tool)
}

export function call(tool: string, input: JsonObject): Step['calls'][number] {
  return { tool, input }
}

export function skillIds(calls: readonly DoneCall[]): string[] {
  const skills = calls.find(({ tool }) => tool === 'list_skills')?.data?.skills
  return Array.isArray(skills) ? (skills as JsonObject[]).map(({ id }) => String(id)) : []
}

function isSameWindow(one: JsonObject, other: JsonObject): boolean {
  return one.path === other.path && one.offset === other.offset && one.limit === other.limit
}
