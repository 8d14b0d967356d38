import type { BoundTool, Run } from '@kgent/runtime'
import { BUILT_IN_TOOLS, type Toolset } from '@kgent/tools-core'
import { remoteTools } from '@kgent/worker-bullmq'

/** The tools that need a run's folder and nothing else of its process: these can run on workers. */
export const FILE_TOOLS = BUILT_IN_TOOLS.filter(({ name }) =>
  ['read_file', 'write_file', 'edit_file', 'list_files', 'grep_files'].includes(name),
)

/** Where the tools of a run are run. */
export interface PlacedTools {
  tools: readonly BoundTool[]
  /** Before the run is closed. */
  close(): Promise<void>
  /** Calls by worker. */
  calls: Map<string, number>
}

/** The tools of a run, those on files placed on the workers of a Redis server, if one is named. */
export function placeTools(
  run: Run,
  { workers, runsDir }: { workers: string | undefined; runsDir: string },
): PlacedTools {
  const calls = new Map<string, number>()
  if (workers === undefined) return { tools: run.tools, close: async () => {}, calls }
  const remote: Toolset = remoteTools({
    connection: workers,
    tools: FILE_TOOLS,
    context: run.context,
    policy: run.policy,
    runsDir,
    onPlace: (_callId, { worker }) => calls.set(worker, (calls.get(worker) ?? 0) + 1),
  })
  return {
    tools: run.tools.map((tool) => remote.tool(tool.name) ?? tool),
    close: () => remote.close(),
    calls,
  }
}
