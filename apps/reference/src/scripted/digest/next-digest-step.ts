import type { JsonObject } from '@kgent/contracts'
import type { DoneCall } from '../conversation.ts'
import { FOLDER, OWN_FILES } from '../folder-view.ts'
import { counted } from '../markdown.ts'
import { call, made, readArtifacts, type Step, skillIds } from '../next-step.ts'
import {
  DATE_PATTERN,
  DIGEST_SKILL,
  type DigestKnowledge,
  digestKnowledge,
  fieldsOf,
  isSearch,
  ROW_PATTERN,
} from './digest-knowledge.ts'
import { countFiles, countsJson, digestText } from './digest-report.ts'
import { emptyFieldPattern } from './fields.ts'

const HEAD_LINES = 20
const DATE_LIMIT = 1_000
const DIGEST = 'deliverables/digest.md'
const COUNTS = 'deliverables/counts.json'

/** The next step of the digest, from the answers so far and nothing else. */
export function nextDigestStep(calls: readonly DoneCall[]): Step {
  const known = digestKnowledge(calls)
  for (const phase of PHASES) {
    const step = phase(known)
    if (step && step.calls.length > 0) return step
  }
  return { say: closingWords(known), calls: [] }
}

const PHASES: readonly ((known: DigestKnowledge) => Step | null)[] = [
  lookAround,
  readArtifacts,
  readHeads,
  countRows,
  countEmptyFields,
  findDates,
  remember,
  deliver,
]

function lookAround({ calls }: DigestKnowledge): Step | null {
  if (!made(calls, 'list_files'))
    return {
      say: 'Looking around: the data and the skills.',
      calls: [
        call('list_files', { path: FOLDER, recursive: true, glob: OWN_FILES }),
        call('list_skills', {}),
      ],
    }
  if (made(calls, 'load_skill') || !skillIds(calls).includes(DIGEST_SKILL)) return null
  return {
    say: 'Loading the skill that says what a digest is.',
    calls: [
      call('load_skill', { skillId: DIGEST_SKILL }),
      call('read_file', { path: `skills/${DIGEST_SKILL}/references/counts-format.md` }),
    ],
  }
}

function readHeads({ calls, files }: DigestKnowledge): Step | null {
  const unread = files.filter(
    ({ path }) => !calls.some(({ tool, input }) => tool === 'read_file' && input.path === path),
  )
  return {
    say: `Reading the first lines of ${counted(unread.length, 'file')}.`,
    calls: unread.map(({ path, format }) =>
      call('read_file', format === 'json' ? { path } : { path, limit: HEAD_LINES }),
    ),
  }
}

/** One search for all files: lines that are not empty are rows. */
const ROWS: JsonObject = {
  pattern: ROW_PATTERN,
  path: FOLDER,
  glob: '*.{csv,tsv,jsonl,ndjson}',
  output: 'count',
}

function countRows({ calls, files }: DigestKnowledge): Step | null {
  if (!files.some(({ format }) => format !== 'json') || isAsked(calls, ROWS)) return null
  return { say: 'Counting rows.', calls: [call('grep_files', ROWS)] }
}

function countEmptyFields(known: DigestKnowledge): Step | null {
  const searches = known.files.flatMap((file) => emptySearches(known, file)).map(({ input }) => input)
  return {
    say: 'Counting rows in which a field is empty.',
    calls: searches.filter((input) => !isAsked(known.calls, input)).map((input) => call('grep_files', input)),
  }
}

function emptySearches(known: DigestKnowledge, file: DigestKnowledge['files'][number]) {
  const fields = fieldsOf(known, file)
  return fields.flatMap((field, index) => {
    const pattern = emptyFieldPattern(fields, index, file.format)
    return pattern === null ? [] : [{ field, input: { pattern, path: file.path, output: 'count' } }]
  })
}

function findDates({ calls, files }: DigestKnowledge): Step | null {
  const inputs = files.map(({ path }) => ({ pattern: DATE_PATTERN, path, limit: DATE_LIMIT }))
  return {
    say: 'Finding first and last dates.',
    calls: inputs.filter((input) => !isAsked(calls, input)).map((input) => call('grep_files', input)),
  }
}

function remember({ calls, sets, files }: DigestKnowledge): Step | null {
  if (made(calls, 'write_memory') || files.length === 0) return null
  const names = sets
    .map(({ name }) => name)
    .slice(0, 5)
    .join(', ')
  const content = `The data in ${FOLDER} are ${counted(sets.length, 'set')} in ${counted(files.length, 'file')}: ${names}.`
  return {
    say: 'Proposing one thing to remember.',
    calls: [call('write_memory', { content: content.slice(0, 400), tags: [DIGEST_SKILL] })],
  }
}

function deliver(known: DigestKnowledge): Step | null {
  if (known.calls.some(({ tool }) => tool === 'write_file')) return null
  const counts = countFiles(known, { rows: ROWS, emptiesOf: (file) => emptySearches(known, file) })
  return {
    say: 'Writing the digest and the counts.',
    calls: [
      call('write_file', { path: DIGEST, content: digestText(known, counts) }),
      call('write_file', { path: COUNTS, content: countsJson(known, counts) }),
    ],
  }
}

function closingWords({ calls, files }: DigestKnowledge): string {
  const failed = calls.find(({ tool, failure }) => tool === 'write_file' && failure !== null)
  if (failed) return `The digest could not be written: ${failed.summary}`
  const artifacts = calls.filter(({ data }) => typeof data?.artifact === 'string').length
  const large =
    artifacts > 0
      ? ` ${counted(artifacts, 'answer was', 'answers were')} too large to inline and read from artifacts.`
      : ''
  return `The digest of ${counted(files.length, 'file')} is in ${DIGEST}, the numbers in ${COUNTS}.${large}`
}

function isAsked(calls: readonly DoneCall[], input: JsonObject): boolean {
  return calls.some((done) => isSearch(done, input))
}
