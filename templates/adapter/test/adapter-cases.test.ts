import { adapterCases } from '@kgent/tools-core/testing'
import { describe, it } from 'vitest'
import { driver } from './driver.ts'

describe('the toy framework', () => {
  for (const { id, name, notApplicable, run } of adapterCases(driver))
    it.skipIf(notApplicable !== null)(`${id}: ${name}${notApplicable ? ` (${notApplicable})` : ''}`, run)
})
