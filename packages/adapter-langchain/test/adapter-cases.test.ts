import { adapterCases } from '@kgent/tools-core/testing'
import { describe, it } from 'vitest'
import { driverOf, WAYS } from './driver.ts'

describe.each(WAYS)('LangChain, %s', (way) => {
  for (const { id, name, notApplicable, run } of adapterCases(driverOf(way))) {
    it.skipIf(notApplicable !== null)(`${id}: ${name}${notApplicable ? ` (${notApplicable})` : ''}`, run)
  }
})
