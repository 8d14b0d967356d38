import { adapterCases } from '@kgent/tools-core/testing'
import { afterEach, beforeEach, describe, it, vi } from 'vitest'
import { driverOf } from './driver.ts'
import { WAYS } from './scripted-agent.ts'

beforeEach(() => {
  // Mastra says on the console that an input is no JSON.
  vi.spyOn(console, 'error').mockImplementation(() => {})
})

afterEach(() => {
  vi.restoreAllMocks()
})

describe.each(WAYS)('Agent.%s', (way) => {
  for (const { id, name, notApplicable, run } of adapterCases(driverOf(way))) {
    it.skipIf(notApplicable !== null)(`${id}: ${name}${notApplicable ? ` (${notApplicable})` : ''}`, run)
  }
})
