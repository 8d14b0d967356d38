import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type CreateMemoryOptions,
  createCandidateMemoryClient,
  createMemory,
  type MemoryClient,
} from '@kgent/memory'
import { onTestFinished } from 'vitest'

/** A new folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kgent-memory-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The parsed lines of a JSON Lines file; none when there is no file. */
export function linesOf(file: string): Record<string, unknown>[] {
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

export const candidateFile = (runsDir: string, run: string) =>
  join(runsDir, run, 'archive', 'candidate-memory.jsonl')

/** Proposes texts in a run, as the memory tool would. */
export async function propose(
  runsDir: string,
  proposals: {
    run: string
    content: string
    scope?: string
    tags?: string[]
    scanSecrets?: (text: string) => string[]
  }[],
): Promise<void> {
  for (const { run, content, scope = 'team', tags = [], scanSecrets } of proposals) {
    const client = createCandidateMemoryClient({
      file: candidateFile(runsDir, run),
      runId: run,
      ...(scanSecrets && { scanSecrets }),
    })
    await client.writeMemory(content, scope, tags, { metadata: { callId: 'call-1', tool: 'write_memory' } })
  }
}

/** A governed memory with the scope `team`. */
export function memoryOf(options: Partial<CreateMemoryOptions> = {}): MemoryClient {
  return createMemory({ mode: 'external', scopes: ['team'], runId: 'run-1', ...options })
}
