import { createSandbox } from '@kgent/sandbox'
import { sandboxCases } from '@kgent/sandbox/testing'
import { describe, it } from 'vitest'

const module = new URL('./fixtures/sandbox-driver.mjs', import.meta.url).href

describe('createSandbox', () => {
  for (const { id, name, notApplicable, run } of sandboxCases({ create: createSandbox, module })) {
    it.skipIf(notApplicable)(`${name} (${id}${notApplicable ? `: ${notApplicable}` : ''})`, run)
  }
})
