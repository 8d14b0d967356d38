import { adapterCases } from '@kgent/tools-core/testing'
import { configureLogging } from '@strands-agents/sdk'
import { beforeEach, describe, it } from 'vitest'
import { driverOf, WAYS } from './driver.ts'

beforeEach(() => {
  // Strands reports input that it cannot read on the console as well.
  configureLogging({ debug() {}, info() {}, warn() {}, error() {} })
})

describe.each(WAYS)('Strands agent.%s', (way) => {
  for (const { id, name, notApplicable, run } of adapterCases(driverOf(way))) {
    it.skipIf(notApplicable !== null)(`${id}: ${name}${notApplicable ? ` (${notApplicable})` : ''}`, run)
  }
})
