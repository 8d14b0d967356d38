import { adapterCases } from '@kgent/tools-core/testing'
import { describe, it } from 'vitest'
import { driverOf } from './driver.ts'
import { SDKS, WAYS } from './sdk.ts'

describe.each(SDKS)('openai $major', ({ Client }) => {
  describe.each(WAYS)('%s', (way) => {
    for (const { id, name, notApplicable, run } of adapterCases(driverOf(Client, way))) {
      it.skipIf(notApplicable !== null)(`${id}: ${name}${notApplicable ? ` (${notApplicable})` : ''}`, run)
    }
  })
})
