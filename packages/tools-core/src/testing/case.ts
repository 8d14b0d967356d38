import type { AdapterCase, AdapterDriver } from './adapter-driver.ts'

/** Cases about one subject, for one driver. */
export type CaseGroup = (driver: AdapterDriver) => AdapterCase[]

/** A case; `notApplicable` says why it cannot hold for this framework. */
export function define(
  id: string,
  name: string,
  run: () => Promise<void>,
  notApplicable: string | null = null,
): AdapterCase {
  return { id: `adapter/${id}`, name, run, notApplicable }
}

/** The reason why a case does not apply, unless the framework has the ability. */
export function unless(ability: boolean, reason: string): string | null {
  return ability ? null : reason
}
