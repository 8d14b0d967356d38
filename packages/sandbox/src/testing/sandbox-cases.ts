import assert from 'node:assert/strict'
import { type CaseDefinition, type CaseSettings, whyNotApplicable } from './case-definition.ts'
import { CaseTree } from './case-tree.ts'
import { crashCases } from './cases/crash-cases.ts'
import { hardLinkCases } from './cases/hard-link-cases.ts'
import { lexicalCases } from './cases/lexical-cases.ts'
import { linkCases } from './cases/link-cases.ts'
import { oddPathCases } from './cases/odd-path-cases.ts'
import { raceCases } from './cases/race-cases.ts'
import { searchCases } from './cases/search-cases.ts'
import { sizeCases } from './cases/size-cases.ts'
import { specialFileCases } from './cases/special-file-cases.ts'
import { writeCases } from './cases/write-cases.ts'
import { Guard } from './guard.ts'
import type { SandboxCase, SandboxCaseOptions, SandboxDriver } from './sandbox-driver.ts'
import { specOf } from './sandbox-spec.ts'

/**
 * Everything that a path guard must withstand, as data for any test runner:
 *
 *     for (const c of sandboxCases({ create: createSandbox })) it.skipIf(c.notApplicable)(c.name, c.run)
 *
 * Each case builds folders of its own with a canary around them, and fails when the canary is in an answer, when anything
 * outside of the writable mounts has changed, or when an answer shows a host path.
 */
export function sandboxCases(driver: SandboxDriver, options: SandboxCaseOptions = {}): SandboxCase[] {
  const settings = { tries: 1_000, kills: 5, full: false, module: driver.module ?? '', ...options }
  return [
    lexicalCases,
    oddPathCases,
    linkCases,
    hardLinkCases,
    specialFileCases,
    sizeCases,
    searchCases,
    writeCases,
    crashCases,
    raceCases,
  ]
    .flat()
    .map((definition) => ({
      id: `sandbox/${definition.id}`,
      name: definition.name,
      notApplicable: whyNotApplicable(definition, driver),
      run: () => runCase(definition, driver, settings),
    }))
}

async function runCase(
  definition: CaseDefinition,
  driver: SandboxDriver,
  settings: CaseSettings,
): Promise<void> {
  const tree = new CaseTree()
  try {
    await definition.prepare?.(tree, settings)
    const before = tree.snapshotOutside()
    const sandbox = await driver.create(specOf(tree, definition.limits))
    try {
      await definition.run(new Guard(sandbox, tree), tree, settings)
    } finally {
      await sandbox.close()
    }
    assert.deepEqual(tree.snapshotOutside(), before, 'something outside of the writable mounts has changed')
  } finally {
    await tree.remove()
  }
}
