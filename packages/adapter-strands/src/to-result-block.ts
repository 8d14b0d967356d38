import { type ToolResult, toModelText } from '@kgent/tools-core'
import { TextBlock, ToolResultBlock } from '@strands-agents/sdk'

/** A result as the text that the model reads; what failed or was refused has the error flag. */
export function toResultBlock(toolUseId: string, result: ToolResult): ToolResultBlock {
  return new ToolResultBlock({
    toolUseId,
    status: result.ok ? 'success' : 'error',
    content: [new TextBlock(toModelText(result))],
  })
}
