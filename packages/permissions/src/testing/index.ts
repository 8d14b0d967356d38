export type { CreateGate, GateCase, GateScenario, GateSupport } from './gate-case.ts'
export { gateCases } from './gate-cases.ts'
