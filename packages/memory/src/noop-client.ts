import { errorInfo } from '@kgent/contracts'
import type { DescribedMemoryClient } from './memory-abilities.ts'

/** A memory that remembers nothing: recall finds nothing, writing is switched off and says so. */
export function createNoopMemoryClient(): DescribedMemoryClient {
  return {
    supports: { stores: false, idempotencyKeys: true, metadata: false },
    recallMemory: async () => [],
    writeMemory: async () => ({
      status: 'blocked',
      id: null,
      error: errorInfo('memory_disabled', 'Writing memory is switched off; nothing was stored.'),
    }),
  }
}
