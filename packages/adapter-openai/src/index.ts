export type { BoundTool, ToolResult } from '@kgent/tools-core'
export type { OpenaiRunner } from './openai-runner.ts'
export { recordUnknownCalls } from './record-unknown-calls.ts'
export { type OpenaiOptions, type OpenaiTool, type OpenaiTools, openaiTools } from './to-openai-tools.ts'
