import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../scripts/workspace.mjs'

const LOCK_FILES = ['pnpm-lock.yaml', 'package-lock.json']

function lockFiles(folder = root): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory())
      return /^(node_modules|dist|runs|fixtures|\..*)$/.test(entry.name) ? [] : lockFiles(path)
    return LOCK_FILES.includes(entry.name) ? [path] : []
  })
}

describe('lock files', () => {
  for (const file of lockFiles()) {
    it(`${relative(root, file)} pins by hash and names no registry`, () => {
      const text = readFileSync(file, 'utf8')
      expect(text).toContain('sha512-')
      expect(text).not.toMatch(/"resolved":|tarball:|registry/)
    })
  }
})
