import { adapterCases } from '@kgent/tools-core/testing'
import { afterEach, beforeEach, describe, it, vi } from 'vitest'
import { driverOf } from './driver.ts'
import { SDKS, WAYS } from './sdk.ts'

beforeEach(() => {
  // AI SDK 5 reports the forged messages that it refuses on the console as well.
  vi.spyOn(console, 'error').mockImplementation(() => {})
})

afterEach(() => {
  vi.restoreAllMocks()
})

describe.each(SDKS)('AI SDK $major', (sdk) => {
  describe.each(WAYS)('%s', (way) => {
    for (const { id, name, notApplicable, run } of adapterCases(driverOf(sdk, way))) {
      it.skipIf(notApplicable !== null)(`${id}: ${name}${notApplicable ? ` (${notApplicable})` : ''}`, run)
    }
  })
})
