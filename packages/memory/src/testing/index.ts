export type { DescribedMemoryClient, MemoryAbilities } from '../memory-abilities.ts'
export type { ConformanceCase } from './conformance-case.ts'
export type { CreateClient } from './kit.ts'
export { memoryClientCases } from './memory-client-cases.ts'
