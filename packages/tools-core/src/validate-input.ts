import { type ErrorInfo, errorInfo, type JsonObject } from '@kgent/contracts'
import type { NormalisedInput } from './normalise-input.ts'
import type { ToolSchema } from './tool-definition.ts'

export type CheckedInput = { ok: true; input: unknown } | { ok: false; error: ErrorInfo }

interface CheckedTool {
  readonly name: string
  readonly inputSchema: ToolSchema
}

/** Checks normalised input against the tool's schema and returns the parsed value, defaults applied. */
export async function validateInput(tool: CheckedTool, normalised: NormalisedInput): Promise<CheckedInput> {
  if (!normalised.ok) return { ok: false, error: invalidInput(tool.name, normalised.problems) }
  const result = await tool.inputSchema['~standard'].validate(normalised.value as JsonObject)
  if (!result.issues) return { ok: true, input: result.value }
  return { ok: false, error: invalidInput(tool.name, result.issues.map(describeIssue)) }
}

const MAX_PROBLEMS = 5

function invalidInput(tool: string, problems: string[]): ErrorInfo {
  const shown = problems.slice(0, MAX_PROBLEMS).map((problem) => problem.slice(0, 400))
  const more = problems.length > MAX_PROBLEMS ? `; and ${problems.length - MAX_PROBLEMS} more` : ''
  return errorInfo('invalid_input', `The input of ${tool} does not fit: ${shown.join('; ')}${more}.`, {
    hint: 'Nothing was run. Correct the input and call again.',
  })
}

type Issue = {
  readonly message: string
  readonly path?: readonly (PropertyKey | { key: PropertyKey })[] | undefined
}

function describeIssue(issue: Issue): string {
  const path = (issue.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part)).join('.')
  return path === '' ? issue.message : `${path}: ${issue.message}`
}
