export type { BoundTool, ToolResult } from '@kgent/tools-core'
export { keepMalformedInput } from './keep-malformed-input.ts'
export { recordUnknownCalls } from './record-unknown-calls.ts'
export {
  type AnthropicOptions,
  type AnthropicTool,
  type AnthropicTools,
  anthropicTools,
} from './to-anthropic-tools.ts'
