// The long fault run: node faults/run.mjs [calls] [rounds]. Ends with 1 when anything was lost, done twice or answered oddly.
import { rmSync } from 'node:fs'
import { buildProgram } from './build-program.mjs'

const calls = Number(process.argv[2] ?? 3_000)
const [worker, runner] = await Promise.all(['worker.ts', 'fault-run.ts'].map(buildProgram))
const { faultRun } = await import(runner.file)
const report = await faultRun({
  calls,
  workers: 4,
  rounds: Number(process.argv[3] ?? 8),
  workerFile: worker.file,
})
for (const { dir } of [worker, runner]) rmSync(dir, { recursive: true, force: true })
console.log(JSON.stringify(report, null, 2))
const isGood = report.lost.length + report.twice.length + report.odd.length === 0 && report.calls === calls
process.exitCode = isGood ? 0 : 1
