import { failureCases } from './cases/failure-cases.ts'
import { isolationCases } from './cases/isolation-cases.ts'
import { keyCases } from './cases/key-cases.ts'
import { limitCases } from './cases/limit-cases.ts'
import { roundTripCases } from './cases/round-trip-cases.ts'
import type { ConformanceCase } from './conformance-case.ts'
import type { CreateClient } from './kit.ts'

/**
 * Everything that a memory client must get right, as data for any test runner:
 *
 *     for (const c of memoryClientCases(() => createMyClient(url))) it(c.name, c.run)
 *
 * Each case makes a client of its own and closes it. What a client cannot do it declares itself, in `supports`.
 */
export function memoryClientCases(createClient: CreateClient): ConformanceCase[] {
  return [roundTripCases, isolationCases, limitCases, keyCases, failureCases].flatMap((group) =>
    group(createClient),
  )
}
