import type { Outcome, ResolvedPath, Sandbox } from '@kgent/contracts'

/** Where a path leads inside a sandbox, links followed. What uses the path resolves it anew, as one act with the use. */
export function resolveSandboxPath(sandbox: Sandbox, path: string): Promise<Outcome<ResolvedPath>> {
  return sandbox.resolvePath(path)
}
