export type {
  MemoryClient,
  MemoryItem,
  MemoryRecallOptions,
  MemoryWriteOptions,
  MemoryWriteResult,
} from '@kgent/contracts'
export {
  createPostgresMemoryClient,
  migrate,
  type PostgresMemoryClient,
} from './create-postgres-memory-client.ts'
export type { PostgresMemoryOptions } from './postgres-memory-options.ts'
