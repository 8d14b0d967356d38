import { writeSync } from 'node:fs'
import { createCandidateMemoryClient } from '@kgent/memory'

// Writes facts into a candidate file, all at once or until it is killed, and prints each that was acknowledged.
const [file = '', name = '', count = '0', bytes = '0'] = process.argv.slice(2)
const client = createCandidateMemoryClient({ file, runId: name })
const padding = ' x'.repeat(Number(bytes) / 2)

async function write(index: number): Promise<void> {
  const { status, error } = await client.writeMemory(`${name} fact ${index}${padding}`, 'team', [])
  if (status !== 'candidate') throw new Error(`${status}: ${error?.message}`)
  writeSync(1, `${name} fact ${index}\n`)
}

if (Number(count) > 0) {
  await Promise.all(Array.from({ length: Number(count) }, (_, index) => write(index)))
} else {
  for (let index = 0; ; index += 1) await write(index)
}
