import type { DoneCall } from './conversation.ts'
import { findingsOf, isSearch } from './findings.ts'
import { SEARCH_LIMIT, SEARCHES } from './searches.ts'
import { filesOf, writeReport } from './write-report.ts'

/** What the planner does next: calls to make at once, or the closing words. */
export type Step = { calls: { tool: string; input: Record<string, unknown> }[] } | { text: string }

export const REPORT_PATH = 'deliverables/report.md'
const FORBIDDEN_PATH = 'inputs/written-by-the-agent.txt'
const REPORT_SKILL = 'findings-report'
const MAX_WINDOWS = 8
const LINES_AROUND = 3

type Phase = (calls: readonly DoneCall[]) => Step | null

/** The next step of the main job, from the answers so far and nothing else. */
export function nextStep(calls: readonly DoneCall[]): Step {
  for (const phase of [lookAround, search, loadSkill, readWindows, tryForbidden, report, remember]) {
    const step = phase(calls)
    if (step) return step
  }
  return { text: closingText(calls) }
}

const made = (calls: readonly DoneCall[], tool: string) => calls.some((call) => call.tool === tool)

const lookAround: Phase = (calls) =>
  made(calls, 'list_files')
    ? null
    : {
        calls: [
          { tool: 'list_files', input: { path: 'inputs', recursive: true } },
          { tool: 'list_skills', input: {} },
        ],
      }

const search: Phase = (calls) => {
  if (made(calls, 'grep_files') || filesOf(calls).length === 0) return null
  return {
    calls: SEARCHES.map(({ pattern, glob, ignoreCase }) => ({
      tool: 'grep_files',
      input: {
        pattern,
        path: 'inputs',
        limit: SEARCH_LIMIT,
        ...(glob && { glob }),
        ...(ignoreCase && { ignoreCase }),
      },
    })),
  }
}

const loadSkill: Phase = (calls) => {
  if (made(calls, 'load_skill')) return null
  const listed = calls.find(({ tool }) => tool === 'list_skills')?.data?.skills
  const ids = Array.isArray(listed) ? (listed as { id: string }[]).map(({ id }) => id) : []
  return ids.includes(REPORT_SKILL)
    ? { calls: [{ tool: 'load_skill', input: { skillId: REPORT_SKILL } }] }
    : null
}

/** Reads a few lines around the most pressing findings, each file's first, so that the report shows them in their place. */
const readWindows: Phase = (calls) => {
  if (made(calls, 'read_file')) return null
  const findings = findingsOf(calls).filter(({ text }) => text !== null)
  const firstInFile = findings.filter(
    ({ path }, index) => findings.findIndex((other) => other.path === path) === index,
  )
  const windows = firstInFile.slice(0, MAX_WINDOWS).map(({ path, line }) => ({
    tool: 'read_file',
    input: { path, offset: Math.max(1, line - LINES_AROUND), limit: 2 * LINES_AROUND + 1 },
  }))
  return windows.length > 0 ? { calls: windows } : null
}

/** Shows on purpose what a refusal looks like: the inputs are read-only. */
const tryForbidden: Phase = (calls) =>
  calls.some(({ input }) => input.path === FORBIDDEN_PATH)
    ? null
    : {
        calls: [
          {
            tool: 'write_file',
            input: { path: FORBIDDEN_PATH, content: 'The policy is expected to refuse this.\n' },
          },
        ],
      }

const report: Phase = (calls) =>
  calls.some(({ input }) => input.path === REPORT_PATH)
    ? null
    : { calls: [{ tool: 'write_file', input: { path: REPORT_PATH, content: writeReport(calls) } }] }

const remember: Phase = (calls) => {
  if (made(calls, 'write_memory')) return null
  const findings = findingsOf(calls)
  const [first] = findings
  const content = first
    ? `The folder inputs had ${findings.length} findings when it was last looked at; the first place to look is ${first.path}.`
    : `The folder inputs had no findings among ${filesOf(calls).length} files when it was last looked at.`
  return { calls: [{ tool: 'write_memory', input: { content, tags: ['findings'] } }] }
}

function closingText(calls: readonly DoneCall[]): string {
  const written = calls.find(({ input }) => input.path === REPORT_PATH)
  const refused = calls.filter(({ failed }) => failed).length
  const searches = SEARCHES.filter((search) => calls.some((call) => isSearch(call, search))).length
  const outcome =
    written?.failed === false
      ? `The report is in ${REPORT_PATH}`
      : `The report could not be written: ${written?.summary ?? 'no answer'}`
  return `${outcome}: ${findingsOf(calls).length} findings from ${searches} searches; ${refused} calls were refused or failed.`
}
