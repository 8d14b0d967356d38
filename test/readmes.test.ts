import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root, workspacePackages } from '../scripts/workspace.mjs'
import { programOf } from './readme-program.ts'

const FIRST_LINE_WITHIN = 20
const LONGEST_PROGRAM = 20
const LONGEST_README = 120

/** Runs a program from its package's folder (what the package depends on is found first there), in an empty working folder. */
function runProgram(code: string, home: string): string {
  const program = join(home, `.readme-${process.pid}-${Math.random().toString(36).slice(2)}.mjs`)
  const folder = mkdtempSync(join(tmpdir(), 'kgent-readme-'))
  writeFileSync(program, code)
  try {
    const ended = spawnSync(process.execPath, [program], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
    })
    return ended.status === 0 ? ended.stdout : `${ended.stdout}${ended.stderr}`
  } finally {
    rmSync(program, { force: true })
    rmSync(folder, { recursive: true, force: true })
  }
}

const libraries = workspacePackages().filter(({ folder }) => folder.startsWith(join(root, 'packages')))
const readmes = [root, ...libraries.map(({ folder }) => folder)]
  .map((folder) => join(folder, 'README.md'))
  .filter((file) => existsSync(file))

describe.each(readmes.map((file) => [relative(root, file), file] as const))('%s', (name, file) => {
  const readme = readFileSync(file, 'utf8')
  const program = programOf(readme)

  it('shows a short program early, that prints what the page says', () => {
    expect(program, 'a ts block followed by a text block').not.toBeNull()
    if (!program) return
    if (name !== 'README.md') {
      expect(program.line).toBeLessThanOrEqual(FIRST_LINE_WITHIN)
      expect(readme.split('\n').length).toBeLessThanOrEqual(LONGEST_README)
    }
    expect(program.code.trimEnd().split('\n').length).toBeLessThanOrEqual(LONGEST_PROGRAM)
    expect(runProgram(program.code, dirname(file))).toBe(program.output)
  })
})
