import { isMalformed, unwrapMalformed } from './malformed-input.ts'

/**
 * The input as the model wrote it. Of a stream the SDK completes JSON that is cut off, dropping what is incomplete, so
 * that a call would run with less than the model said. Such input goes to the core as text and is refused there. The
 * text stands beside the SDK's own value, as a property that is not listed; without it the SDK's value is all there is.
 */
export function inputAsWritten(input: unknown, toolUse: object | undefined): unknown {
  const text = toolUse && '__json_buf' in toolUse ? toolUse.__json_buf : undefined
  return typeof text === 'string' && isMalformed(text) ? text : unwrapMalformed(input)
}
