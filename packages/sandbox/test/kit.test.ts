import { createSandbox } from '@kgent/sandbox'
import { type SandboxDriver, sandboxCases } from '@kgent/sandbox/testing'
import { describe, expect, it } from 'vitest'
import { BROKEN_GUARDS, type BrokenGuard } from './kit-broken-guards.ts'

const module = new URL('./fixtures/sandbox-driver.mjs', import.meta.url).href

describe('createSandbox withstands every case', () => {
  for (const { id, name, notApplicable, run } of sandboxCases({ create: createSandbox, module })) {
    it.skipIf(notApplicable)(`${name} (${id}${notApplicable ? `: ${notApplicable}` : ''})`, run)
  }

  it('has cases with ids of their own', () => {
    const ids = sandboxCases({ create: createSandbox }).map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('says why a case does not apply to an implementation that lacks something', () => {
    const driver: SandboxDriver = { create: createSandbox, capabilities: { regex: false } }
    const { notApplicable } = caseOf(driver, 'search/invalid-pattern')
    expect(notApplicable).toBe('the implementation has no regex')
    expect(caseOf(driver, 'crash/kill').notApplicable).toBe('the implementation has no module')
  })
})

describe('the cases catch a guard that', () => {
  for (const broken of BROKEN_GUARDS) {
    const caught = caseOf(driverOf(broken), broken.caught)
    it.skipIf(caught.notApplicable)(`${broken.fault} (${broken.caught})`, async () => {
      await expect(caught.run()).rejects.toMatchObject({ code: 'ERR_ASSERTION' })
    })
  }
})

function caseOf(driver: SandboxDriver, id: string) {
  // A race is a matter of luck: many tries, of which the first escape ends the case.
  const found = sandboxCases(driver, { tries: 100_000 }).find((one) => one.id === `sandbox/${id}`)
  if (!found) throw new Error(`There is no case ${id}.`)
  return found
}

function driverOf({ breaks, module: own }: BrokenGuard): SandboxDriver {
  return {
    create(spec) {
      const sandbox = createSandbox(spec)
      return { ...sandbox, ...breaks(sandbox, spec) }
    },
    module: own ?? module,
  }
}
