import { adapterCases } from '@kgent/tools-core/testing'
import { describe, it } from 'vitest'
import { driverOf } from './driver.ts'
import { WAYS } from './scripted-genkit.ts'

describe.each(WAYS)('%s', (way) => {
  for (const { id, name, notApplicable, run } of adapterCases(driverOf(way))) {
    it.skipIf(notApplicable !== null)(`${id}: ${name}${notApplicable ? ` (${notApplicable})` : ''}`, run)
  }
})
