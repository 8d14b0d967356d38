// Writes docs/support.md from the results of the adapter kit on every framework that is installed here.
//   node scripts/support-table.mjs           writes it
//   node scripts/support-table.mjs --check   exits with 1 when it is not what the kit says
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './workspace.mjs'

const page = join(root, 'docs', 'support.md')

/** @typedef {{ passed: number, failed: number, reasons: Map<string, number> }} Count */

/** @returns {{ testResults: { name: string, assertionResults: { ancestorTitles: string[], title: string, status: string }[] }[] }} */
function runKits() {
  const folder = mkdtempSync(join(tmpdir(), 'kgent-support-'))
  try {
    const report = join(folder, 'report.json')
    const files = readdirSync(join(root, 'packages')).filter((name) => name.startsWith('adapter-'))
    const args = files.map((name) => `packages/${name}/test/adapter-cases.test.ts`)
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
    const options = ['run', '--typecheck=false', '--reporter=json', `--outputFile=${report}`]
    spawnSync(process.execPath, [vitest, ...options, ...args], { cwd: root, stdio: 'ignore' })
    return JSON.parse(readFileSync(report, 'utf8'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** One row a way into a framework. */
function rows() {
  return runKits()
    .testResults.map(({ name, assertionResults }) => ({
      adapter: /packages\/(adapter-[\w-]+)\//.exec(name)?.[1] ?? '',
      assertionResults,
    }))
    .sort((one, other) => one.adapter.localeCompare(other.adapter))
    .flatMap(({ adapter, assertionResults }) => {
      /** @type {Map<string, Count>} */
      const ways = new Map()
      for (const { ancestorTitles, title, status } of assertionResults) {
        const way = ancestorTitles.join(', ')
        const count = ways.get(way) ?? { passed: 0, failed: 0, reasons: new Map() }
        ways.set(way, count)
        if (status === 'passed') count.passed += 1
        else if (status === 'failed') count.failed += 1
        else {
          const reason = /\(([^()]*)\)$/.exec(title)?.[1] ?? 'not applicable'
          count.reasons.set(reason, (count.reasons.get(reason) ?? 0) + 1)
        }
      }
      return [...ways].map(([way, count]) => row(adapter, way, count))
    })
}

/** @param {string} adapter @param {string} way @param {Count} count */
function row(adapter, way, { passed, failed, reasons }) {
  const why = [...reasons].map(([reason, times]) => `${times} × ${reason}`).join('; ')
  const cells = [
    `[\`@kgent/${adapter}\`](../packages/${adapter})`,
    versionsOf(adapter),
    way,
    `${passed}${failed ? `, ${failed} failed` : ''}`,
    why || '–',
  ]
  return `| ${cells.join(' | ')} |`
}

/** @param {string} adapter */
function versionsOf(adapter) {
  const { devDependencies = {} } = JSON.parse(
    readFileSync(join(root, 'packages', adapter, 'package.json'), 'utf8'),
  )
  return Object.entries(devDependencies)
    .filter(([name, range]) => name !== 'zod' && !String(range).startsWith('workspace:'))
    .map(([name, range]) => (String(range).startsWith('npm:') ? String(range).slice(4) : `${name}@${range}`))
    .join(', ')
}

const text = `# Support

Made by \`node scripts/support-table.mjs\` from the results of the kit \`adapterCases\` on the real frameworks, whose versions are pinned in this
repository. What does not apply to a framework, and what kgent does instead, stands in the adapter's README.

| adapter | versions tested | way in | cases passed | not applicable, and why |
| --- | --- | --- | --- | --- |
${rows().join('\n')}
`

if (process.argv.includes('--check')) {
  const isSame = readFileSync(page, 'utf8') === text
  console.log(
    isSame
      ? 'docs/support.md is what the kit says.'
      : 'docs/support.md is old: node scripts/support-table.mjs',
  )
  process.exit(isSame ? 0 : 1)
}
writeFileSync(page, text)
console.log(`docs/support.md: ${text.split('\n').length - 8} ways in.`)
