// Runs vitest and ends with the plain line `N passed, N failed[, N skipped]`.
// The exit code is 0 only when something ran and nothing failed.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** @typedef {{ status: string, assertionResults: { status: string }[] }} Suite */
/** @typedef {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number, testResults: Suite[] }} Report */

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const folder = join(root, '.reports')
const file = join(folder, `vitest-${process.pid}.json`)
mkdirSync(folder, { recursive: true })

const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
const run = spawnSync(process.execPath, [vitest, 'run', ...reporters, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})

const counts = count(readReport())
if (counts.passed === 0 || run.status !== 0) counts.failed ||= 1
const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
console.log(`${counts.passed} passed, ${counts.failed} failed${skipped}`)
process.exit(counts.failed > 0 ? 1 : 0)

/** @returns {Report | undefined} */
function readReport() {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'))
    renameSync(file, join(folder, 'vitest.json'))
    return report
  } catch {
    return undefined
  }
}

/** @param {Report | undefined} report */
function count(report) {
  if (!report) return { passed: 0, failed: 0, skipped: 0 }
  // A file that cannot be imported, or a hook that fails, is a failed suite without a failed test.
  const brokenSuites = report.testResults.filter(
    (suite) => suite.status === 'failed' && !suite.assertionResults.some((test) => test.status === 'failed'),
  )
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenSuites.length,
    skipped: report.numPendingTests + report.numTodoTests,
  }
}
