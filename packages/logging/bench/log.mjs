// What a call's record and two events cost, against bare synchronous writes of the same bytes. Build first, then:
//   node bench/log.mjs [calls]
import { appendFileSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRunLog } from '@kgent/logging'

const CALLS = Number(process.argv[2] ?? 20_000)
const ROUNDS = 7
const dir = mkdtempSync(join(tmpdir(), 'kgent-bench-log-'))
const sha256 = 'a'.repeat(64)

/** What the core hands over for one call. */
function draftsOf(callId) {
  const input = { sha256, bytes: 41, shape: { path: 'string(22)', offset: 'number', limit: 'number' } }
  const path = 'workspace/notes/plan.md'
  const same = { tool: 'read_file', toolCallId: `toolu_${callId}`, attempt: 1 }
  const summary = `Read ${path}, lines 1 to 120 of 120.`
  return {
    start: { type: 'tool.call.start', callId, data: { ...same, input } },
    record: {
      runId: '2026-12-01-bench',
      callId,
      ...same,
      startedAt: '2026-12-01T10:00:00.000Z',
      durationMs: 3.217,
      status: 'ok',
      summary,
      decisions: [
        {
          permission: 'filesystemRead',
          resource: path,
          decision: 'allow',
          layer: 'runtime',
          rule: 'runtime.filesystemRead',
          reason: 'Reading is on by default.',
          requestedBy: [],
        },
      ],
      input,
      output: { sha256, bytes: 5_120 },
      artifacts: [],
      error: null,
    },
    end: {
      type: 'tool.call.end',
      callId,
      data: {
        ...same,
        status: 'ok',
        durationMs: 3.217,
        summary,
        decision: 'allow',
        outputBytes: 5_120,
        artifacts: [],
        errorCode: null,
        replayOf: null,
      },
    },
  }
}

const DRAFTS = Array.from({ length: 500 }, (_, n) => draftsOf(`call-${n}`))
const draftsAt = (n) => DRAFTS[n % DRAFTS.length]

async function loggedCall(log, { start, record, end }) {
  log.events.record(start)
  await null
  log.logger.record(record)
  log.events.record(end)
  await Promise.all([log.logger.flush(), log.events.flush()])
}

async function logged(log, parallel) {
  for (let n = 0; n < CALLS; n += parallel) {
    if (parallel === 1) await loggedCall(log, draftsAt(n))
    else await Promise.all(Array.from({ length: parallel }, (_, m) => loggedCall(log, draftsAt(n + m))))
  }
}

function bare(lines) {
  for (let n = 0; n < CALLS; n += 1) {
    writeSync(lines.eventsFile, lines.start)
    writeSync(lines.toolsFile, lines.record)
    writeSync(lines.eventsFile, lines.end)
  }
}

function appended({ start, record, end }) {
  for (let n = 0; n < CALLS; n += 1) {
    appendFileSync(join(dir, 'events'), start)
    appendFileSync(join(dir, 'tools'), record)
    appendFileSync(join(dir, 'events'), end)
  }
}

function bareWithJson({ toolsFile, eventsFile }) {
  for (let n = 0; n < CALLS; n += 1) {
    const { start, record, end } = draftsAt(n)
    writeSync(eventsFile, `${JSON.stringify(start)}\n`)
    writeSync(toolsFile, `${JSON.stringify(record)}\n`)
    writeSync(eventsFile, `${JSON.stringify(end)}\n`)
  }
}

/** Microseconds a call: the median of some rounds, the first of which warm up. */
async function measure(work) {
  const rounds = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const begin = performance.now()
    await work()
    rounds.push(((performance.now() - begin) * 1_000) / CALLS)
  }
  return rounds.slice(2).sort((a, b) => a - b)[Math.floor((ROUNDS - 2) / 2)]
}

try {
  const log = createRunLog({ dir: join(dir, 'run'), runId: '2026-12-01-bench' })
  const oneAtATime = await measure(() => logged(log, 1))
  const inParallel = await measure(() => logged(log, 100))
  await log.close()
  const [start, end] = readFileSync(join(dir, 'run', 'events.jsonl'), 'utf8')
    .split('\n')
    .slice(-3, -1)
  const record = readFileSync(join(dir, 'run', 'logs', 'tools.jsonl'), 'utf8')
    .split('\n')
    .at(-2)
  const files = {
    toolsFile: openSync(join(dir, 'tools'), 'a'),
    eventsFile: openSync(join(dir, 'events'), 'a'),
  }
  const lines = { ...files, start: `${start}\n`, record: `${record}\n`, end: `${end}\n` }
  const bytes = lines.start.length + lines.record.length + lines.end.length
  const writes = await measure(async () => bare(lines))
  const writesWithJson = await measure(async () => bareWithJson(files))
  const appends = await measure(async () => appended(lines))
  closeSync(files.toolsFile)
  closeSync(files.eventsFile)
  const ratio = (microseconds, base) => `${(microseconds / base).toFixed(2)} ×`.padStart(9)
  const row = (name, microseconds) => {
    const ratios = [appends, writesWithJson, writes].map((base) => ratio(microseconds, base))
    console.log(`${name.padEnd(42)}${microseconds.toFixed(1).padStart(7)} µs ${ratios.join('')}`)
  }
  console.log(`${CALLS} calls, a record and two events each, ${bytes} bytes a call`)
  console.log(`${''.padEnd(42)}    a call   append     JSON    write`)
  row('append: appendFileSync, lines ready-made', appends)
  row('JSON: JSON.stringify and writeSync', writesWithJson)
  row('write: writeSync, lines ready-made', writes)
  row('kgent, one call at a time', oneAtATime)
  row('kgent, 100 calls in parallel', inParallel)
} finally {
  rmSync(dir, { recursive: true, force: true })
}
