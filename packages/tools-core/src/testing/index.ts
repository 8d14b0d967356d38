export { adapterCases } from './adapter-cases.ts'
export type {
  AdapterCapabilities,
  AdapterCase,
  AdapterDriver,
  AdapterScenario,
  AdapterTranscript,
  ScriptedCall,
  ScriptedTurn,
} from './adapter-driver.ts'
export { createMemoryRun, gateOf, type MemoryRecord, type MemoryRunOptions } from './memory-run.ts'
