import { type ErrorInfoExtras, KgentError } from '@kgent/contracts'

/** What `recallMemory` rejects with when the memory could not be asked: never to be read as “nothing found”. */
export class MemoryUnavailable extends KgentError {
  constructor(message = 'The memory service could not be asked.', extras?: ErrorInfoExtras) {
    super('memory_unavailable', message, extras)
    this.name = 'MemoryUnavailable'
  }
}
