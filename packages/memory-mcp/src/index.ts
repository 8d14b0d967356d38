export type {
  MemoryClient,
  MemoryItem,
  MemoryRecallOptions,
  MemoryWriteOptions,
  MemoryWriteResult,
} from '@kgent/contracts'
export { createMcpMemoryClient, type McpMemoryClient } from './create-mcp-memory-client.ts'
export type { McpMemoryOptions } from './mcp-memory-options.ts'
export type { McpMemoryItems, McpMemoryTools, McpRecallTool, McpWriteTool } from './mcp-memory-tools.ts'
