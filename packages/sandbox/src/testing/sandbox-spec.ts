import type { CaseTree } from './case-tree.ts'
import type { SandboxSpec } from './sandbox-driver.ts'

const LIMITS: SandboxSpec['limits'] = {
  maxReadBytes: 256 * 1024,
  maxWriteBytes: 10 * 1024 * 1024,
  maxListEntries: 1_000,
  maxGrepMatches: 500,
  grepTimeoutMs: 10_000,
}

/** The sandbox over a case's folders. */
export function specOf(tree: CaseTree, limits: Partial<SandboxSpec['limits']> = {}): SandboxSpec {
  return {
    mounts: [
      { name: 'workspace', dir: tree.workspaceDir, mode: 'rw' },
      { name: 'deliverables', dir: tree.deliverables, mode: 'rw' },
      { name: 'reference', dir: tree.reference, mode: 'ro' },
    ],
    limits: { ...LIMITS, ...limits },
  }
}
