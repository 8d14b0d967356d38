// node bench/run.mjs [calls]: what a call costs over workers, against in-process and bare BullMQ. Needs redis-server.
import { rmSync } from 'node:fs'
import { buildProgram } from '../faults/build-program.mjs'

const [worker, runner] = await Promise.all(['../bench/worker.ts', '../bench/bench.ts'].map(buildProgram))
const { bench } = await import(runner.file)
await bench({ workerFile: worker.file, calls: Number(process.argv[2] ?? 300) })
for (const { dir } of [worker, runner]) rmSync(dir, { recursive: true, force: true })
