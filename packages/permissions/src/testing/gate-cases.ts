import { answerCases } from './cases/answer-cases.ts'
import { conditionCases } from './cases/condition-cases.ts'
import { ruleCases } from './cases/rule-cases.ts'
import type { CaseContext, CreateGate, GateCase, GateSupport } from './gate-case.ts'

const ALL: GateSupport = { ask: true, paths: true, tools: true, scopes: true, ignoreCase: true }

/**
 * Everything that an engine behind a `PermissionGate` must get right, as data for any test runner:
 *
 *     for (const c of gateCases(createGate)) it.skipIf(c.notApplicable)(c.name, c.run)
 *
 * `supports` says what the engine cannot say. **Default:** it can say everything.
 */
export function gateCases(createGate: CreateGate, supports: Partial<GateSupport> = {}): GateCase[] {
  const context: CaseContext = {
    gate: async (rules, fails = false) => createGate({ rules, fails }),
    supports: { ...ALL, ...supports },
  }
  return [ruleCases, conditionCases, answerCases].flatMap((group) => group(context))
}
