export type { BoundTool, ToolResult } from '@kgent/tools-core'
export {
  type OpenAIAgentsOptions,
  type OpenAIAgentsTool,
  type OpenAIAgentsTools,
  openaiAgentsTools,
} from './openai-agents-tools.ts'
export { recordRejections } from './record-rejections.ts'
export { type RunnerConfig, runnerConfig } from './runner-config.ts'
