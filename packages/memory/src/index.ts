export {
  KgentError,
  type MemoryClient,
  type MemoryItem,
  type MemoryRecallOptions,
  type MemoryWriteOptions,
  type MemoryWriteResult,
  type MemoryWriteStatus,
} from '@kgent/contracts'
export type { MemoryCandidate } from './candidate.ts'
export { type CandidateMemoryOptions, createCandidateMemoryClient } from './candidate-client.ts'
export {
  type CreateMemoryOptions,
  createMemory,
  type DroppedItems,
  type MemoryMode,
  type MemoryRetry,
} from './create-memory.ts'
export { createHttpMemoryClient, type HttpMemoryOptions } from './http/http-client.ts'
export type { DescribedMemoryClient, MemoryAbilities } from './memory-abilities.ts'
export { memoryKey } from './memory-key.ts'
export type { MemoryLimits } from './memory-limits.ts'
export { MemoryUnavailable } from './memory-unavailable.ts'
export { createNoopMemoryClient } from './noop-client.ts'
export { countWaiting } from './review/count-waiting.ts'
export type { DecisionNote, EditedMemory } from './review/decide-group.ts'
export {
  type MemoryReview,
  type MemoryReviewOptions,
  openMemoryReview,
  type ReviewFilter,
  type ReviewList,
} from './review/memory-review.ts'
export type { PromotedGroup, PromoteOptions, PromotionReport } from './review/promote-groups.ts'
export type { ReviewProblem } from './review/read-candidates.ts'
export type { ReviewGroup, ReviewOrigin, ReviewState } from './review/review-group.ts'
export type { ScanSecrets } from './secrets-in.ts'
