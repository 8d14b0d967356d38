// A whole governed call (validated, decided, run, bounded, recorded) against the plain way.
import { mkdirSync, mkdtempSync, promises, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRun, defineTool } from '@kgent/runtime'
import { okResult } from '@kgent/tools-core'
import { z } from 'zod'
import { compare } from './measure.mjs'

const folder = mkdtempSync(join(tmpdir(), 'kgent-bench-'))
mkdirSync(join(folder, 'in'))
const file = join(folder, 'in', 'a.txt')
writeFileSync(file, 'a line of plain text\n'.repeat(195))

const noop = defineTool({
  name: 'noop',
  description: 'Does nothing.',
  inputSchema: z.strictObject({}),
  permissions: [],
  annotations: { readOnly: true },
  handler: () => okResult('ok', {}),
})
const run = await createRun({
  runsDir: join(folder, 'runs'),
  mounts: [{ name: 'inputs', dir: join(folder, 'in') }],
  tools: [noop],
})

await compare(
  {
    'fs.promises.readFile, 4 KB': () => promises.readFile(file),
    'sandbox.readFile, 4 KB': () => run.context.sandbox.readFile('inputs/a.txt'),
    'read_file as a governed, recorded call, 4 KB': () => run.call('read_file', { path: 'inputs/a.txt' }),
    'a call of a tool that does nothing': () => run.call('noop', {}),
  },
  { rounds: 3_000, warmUp: 500 },
)
await run.close()
rmSync(folder, { recursive: true, force: true })
