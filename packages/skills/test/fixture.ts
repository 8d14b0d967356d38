import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createSkillRegistry, type SkillRegistry, type SkillRegistryOptions } from '@kgent/skills'
import { onTestFinished } from 'vitest'

/** A new folder that is gone after the test, with files by path. */
export function folderWith(files: Record<string, string | Buffer> = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'kgent-skills-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return folder
}

/** The text of a small sound skill. */
export function skillText(name: string, body = `${name.toUpperCase()}-BODY\n`, more = ''): string {
  return `---\nname: ${name}\ndescription: What ${name} is for\n${more}---\n${body}`
}

/** A registry over `<folder>/skills`, and over further roots by name. */
export async function registryOf(
  files: Record<string, string | Buffer>,
  options: Partial<SkillRegistryOptions> = {},
): Promise<{ registry: SkillRegistry; folder: string }> {
  const folder = folderWith(files)
  mkdirSync(join(folder, 'skills'), { recursive: true })
  const registry = await createSkillRegistry({ roots: [{ dir: join(folder, 'skills') }], ...options })
  return { registry, folder }
}

/** What a list says in short: usable ids, and problems as `file: reason`. */
export async function summaryOf(registry: SkillRegistry): Promise<{ ids: string[]; problems: string[] }> {
  const { skills, problems } = await registry.list()
  return {
    ids: skills.map(({ id }) => id),
    problems: problems.map(({ file, reason }) => `${file}: ${reason}`),
  }
}

const NOBODY = 65_534

/** Works without the rights of root, so that modes of files count. */
export async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return work()
  process.seteuid?.(NOBODY)
  try {
    return await work()
  } finally {
    process.seteuid?.(0)
  }
}
