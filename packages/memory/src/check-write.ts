import { type ErrorInfo, errorInfo } from '@kgent/contracts'
import type { MemoryLimits } from './memory-limits.ts'

/** Most tags of one item. */
export const MAX_TAGS = 16
const MAX_TAG_CHARS = 64

/** Why an item may not be stored anywhere, whatever the client; null when it may. */
export function checkWrite(
  item: { content: string; tags: readonly string[] },
  limits: MemoryLimits,
): ErrorInfo | null {
  const { content, tags } = item
  if (typeof content !== 'string' || content.trim() === '') return rejected('The content is empty.')
  const bytes = Buffer.byteLength(content)
  if (bytes > limits.maxContentBytes) {
    return errorInfo(
      'too_large',
      `The content has ${bytes} bytes; at most ${limits.maxContentBytes} are remembered.`,
      {
        details: { bytes, maxContentBytes: limits.maxContentBytes },
      },
    )
  }
  if (!content.isWellFormed()) return rejected('The content holds half a character (a lone surrogate).')
  if (!Array.isArray(tags) || !tags.every(isTag) || tags.length > MAX_TAGS) {
    return rejected(`Tags are at most ${MAX_TAGS} texts of 1 to ${MAX_TAG_CHARS} characters.`)
  }
  return null
}

function isTag(tag: unknown): boolean {
  return typeof tag === 'string' && tag.trim() !== '' && tag.length <= MAX_TAG_CHARS && tag.isWellFormed()
}

function rejected(message: string): ErrorInfo {
  return errorInfo('memory_rejected', `${message} Nothing was stored.`)
}
