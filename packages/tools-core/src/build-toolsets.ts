import type {
  EffectivePermissionPolicy,
  MemoryClient,
  PermissionGate,
  RunContext,
  SkillRegistry,
} from '@kgent/contracts'
import type { BoundTool } from './bound-tool.ts'
import type { AnyToolDefinition } from './tool-definition.ts'
import { editFileTool } from './tools/edit-file.ts'
import { grepFilesTool } from './tools/grep-files.ts'
import { listFilesTool } from './tools/list-files.ts'
import { listSkillsTool } from './tools/list-skills.ts'
import { loadSkillTool } from './tools/load-skill.ts'
import { readFileTool } from './tools/read-file.ts'
import { recallMemoryTool } from './tools/recall-memory.ts'
import { writeFileTool } from './tools/write-file.ts'
import { writeMemoryTool } from './tools/write-memory.ts'
import { bindTools } from './toolset.ts'

/** The built-in tools: files, skills and memory. No delete and no shell, on purpose. */
export const BUILT_IN_TOOLS: readonly AnyToolDefinition[] = Object.freeze([
  readFileTool,
  writeFileTool,
  editFileTool,
  listFilesTool,
  grepFilesTool,
  listSkillsTool,
  loadSkillTool,
  recallMemoryTool,
  writeMemoryTool,
])

/** The built-in tools bound to a run, ready for an adapter. */
export function buildToolsets(
  context: RunContext,
  skills: SkillRegistry,
  memory: MemoryClient,
  policy: EffectivePermissionPolicy | PermissionGate,
): BoundTool[] {
  return bindTools(BUILT_IN_TOOLS, { context: { ...context, skills, memory }, policy })
}
