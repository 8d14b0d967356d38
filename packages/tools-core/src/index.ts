export {
  type ApprovalAnswer,
  type CallContext,
  type ErrorCode,
  type ErrorInfo,
  errorInfo,
  type JsonObject,
  type JsonValue,
  KgentError,
  type Permission,
  type PermissionRequest,
  type RunContext,
  type ToolProgress,
  type ToolResult,
} from '@kgent/contracts'
export type { BoundTool, CallForecast, CallOptions, DecideOptions } from './bound-tool.ts'
export { BUILT_IN_TOOLS, buildToolsets } from './build-toolsets.ts'
export { defineTool } from './define-tool.ts'
export { type AjvLike, ajvValidator, fromJsonSchema, type JsonSchemaValidator } from './from-json-schema.ts'
export type { JsonSchema, JsonSchemaOptions, JsonSchemaProfile, JsonSchemaTarget } from './json-schema.ts'
export { toModelText } from './to-model-text.ts'
export type {
  AnyToolDefinition,
  ToolAnnotations,
  ToolDefinition,
  ToolPermissions,
  ToolSchema,
} from './tool-definition.ts'
export { ToolError } from './tool-error.ts'
export { failedResult, failure, okResult } from './tool-result.ts'
export { bindTools, createToolset, type ToolBinding, type Toolset } from './toolset.ts'
export { requireUniqueNames } from './unique-names.ts'
