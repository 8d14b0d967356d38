import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { KgentError } from '@kgent/contracts'
import { type MemoryCandidate, parseCandidate } from '../candidate.ts'
import { readNewLines } from './read-new-lines.ts'

const CANDIDATE_FILE = join('archive', 'candidate-memory.jsonl')

/** A candidate and the folder of the run that it came from. */
export interface FoundCandidate {
  candidate: MemoryCandidate
  run: string
}

/** A line or file that could not be read. */
export interface ReviewProblem {
  /** `<run>/archive/candidate-memory.jsonl`, or the ledger. */
  file: string
  line: number | null
  reason: string
}

export interface FoundCandidates {
  found: FoundCandidate[]
  problems: ReviewProblem[]
}

/** Reads the candidates of every run below a runs folder, run by run in the order of their names. */
export async function readCandidates(runsDir: string): Promise<FoundCandidates> {
  const all: FoundCandidates = { found: [], problems: [] }
  for (const run of await runsIn(runsDir)) {
    const { found, problems } = await readRunCandidates(join(runsDir, run))
    all.found.push(...found)
    all.problems.push(...problems)
  }
  return all
}

/** Reads the candidates of one run. */
export async function readRunCandidates(runDir: string): Promise<FoundCandidates> {
  const run = basename(runDir)
  const read: FoundCandidates = { found: [], problems: [] }
  const file = `${run}/archive/candidate-memory.jsonl`
  try {
    for await (const { line } of readNewLines(join(runDir, CANDIDATE_FILE))) {
      const candidate = parseCandidate(line.text)
      if (candidate) read.found.push({ candidate, run })
      else
        read.problems.push({
          file,
          line: line.number,
          reason: 'This line is no candidate; it was passed over.',
        })
    }
  } catch (thrown) {
    const code = (thrown as NodeJS.ErrnoException).code ?? 'unknown fault'
    read.problems.push({ file, line: null, reason: `The file cannot be read (${code}).` })
  }
  return read
}

/** Whether a folder is one run's, not the folder of all runs. */
export async function isRunDir(dir: string): Promise<boolean> {
  const there = await Promise.all(['run.json', CANDIDATE_FILE].map((name) => exists(join(dir, name))))
  return there.includes(true)
}

async function runsIn(runsDir: string): Promise<string[]> {
  const entries = await readdir(runsDir, { withFileTypes: true }).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === 'ENOENT') return []
    throw new KgentError(
      'run_unusable',
      `The runs folder cannot be read (${thrown.code ?? 'unknown fault'}).`,
    )
  })
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  )
}
