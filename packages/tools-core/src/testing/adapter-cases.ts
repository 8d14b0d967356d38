import type { AdapterCase, AdapterDriver } from './adapter-driver.ts'
import { approvalCases } from './cases/approval-cases.ts'
import { callCases } from './cases/call-cases.ts'
import { failureCases } from './cases/failure-cases.ts'
import { schemaCases } from './cases/schema-cases.ts'

/**
 * Everything that an adapter must get right, as data for any test runner:
 *
 *     for (const c of adapterCases(driver)) it.skipIf(c.notApplicable)(c.name, c.run)
 */
export function adapterCases(driver: AdapterDriver): AdapterCase[] {
  return [schemaCases, callCases, failureCases, approvalCases].flatMap((group) => group(driver))
}
