export type { BoundTool, ToolResult } from '@kgent/tools-core'
export { type StrandsOptions, type StrandsTools, strandsTools } from './strands-tools.ts'
export { type UnansweredCalls, unansweredCalls } from './unanswered-calls.ts'
