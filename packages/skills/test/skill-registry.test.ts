import { createHash } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  KgentError,
  type PermissionWish,
  permissionRequests,
  type SkillRegistry,
  skillMounts,
} from '@kgent/skills'
import { describe, expect, it } from 'vitest'
import { registryOf, skillText } from './fixture.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

async function three(options: Parameters<typeof registryOf>[1] = {}) {
  return registryOf(
    {
      'skills/a/SKILL.md': skillText('a', 'a'.repeat(4_000)),
      'skills/b/SKILL.md': skillText('b', 'b'.repeat(4_000)),
      'skills/c/SKILL.md': skillText('c', 'é'.repeat(2_000)),
    },
    options,
  )
}

async function loaded(registry: SkillRegistry, id: string) {
  const outcome = await registry.load(id)
  if (!outcome.ok) throw new Error(outcome.error.message)
  return outcome.value
}

describe('list', () => {
  it('says what each skill costs before it is loaded, and the budget', async () => {
    const { registry } = await three()
    const { skills, problems, budget } = await registry.list()
    expect(skills[2]).toEqual({
      id: 'c',
      name: 'c',
      description: 'What c is for',
      path: 'skills/c/SKILL.md',
      bytes: 4_000,
      tokens: 1_000,
      loaded: false,
      remarks: [],
      requests: [],
    })
    expect(problems).toEqual([])
    expect(budget).toEqual({ maxLoaded: 8, maxBytes: 262_144, loaded: 0, bytes: 0 })
  })

  it('shortens a long description at the edge of a character and marks it', async () => {
    const text = `---\nname: a\ndescription: ${'👍'.repeat(1_100)}\n---\n`
    const { registry } = await registryOf({ 'skills/a/SKILL.md': text })
    const { skills } = await registry.list()
    expect(skills[0]?.description).toBe(`${'👍'.repeat(1_023)}…`)
  })

  it('gives copies: changing an answer changes nothing', async () => {
    const { registry } = await three()
    const first = await registry.list()
    first.skills[0]?.requests.push('shell')
    first.problems.push({ file: 'x', reason: 'y' })
    first.budget.maxBytes = 1e9
    expect(await registry.list()).toMatchObject({ problems: [], budget: { maxBytes: 262_144 } })
    expect((await registry.list()).skills[0]?.requests).toEqual([])
  })
})

describe('load', () => {
  it('gives the text without front matter, and the hash of the file', async () => {
    const { registry } = await three()
    expect(await loaded(registry, 'a')).toEqual({
      info: expect.objectContaining({ id: 'a', loaded: true }),
      body: 'a'.repeat(4_000),
      sha256: sha256(skillText('a', 'a'.repeat(4_000))),
      firstLoad: true,
      changedOnDisk: false,
      budget: { maxLoaded: 8, maxBytes: 262_144, loaded: 1, bytes: 4_000 },
    })
    expect((await registry.list()).skills.map((skill) => skill.loaded)).toEqual([true, false, false])
  })

  it('is charged once, also when it is asked for many times at once', async () => {
    const { registry } = await three()
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => loaded(registry, 'a')))
    expect(outcomes.filter(({ firstLoad }) => firstLoad)).toHaveLength(1)
    expect(new Set(outcomes.map(({ budget }) => `${budget.loaded} ${budget.bytes}`))).toEqual(
      new Set(['1 4000']),
    )
  })

  it('over the budget is refused whole: what is loaded, what it needs; it costs nothing', async () => {
    const { registry } = await three({ budget: { maxBytes: 9_000 } })
    await loaded(registry, 'a')
    await loaded(registry, 'c')
    expect(await registry.load('b')).toEqual({
      ok: false,
      error: {
        code: 'skill_over_budget',
        message: 'Skill b was not loaded: it needs 4000 bytes, and 8000 of 9000 are used. Loaded: a, c.',
        retryable: false,
        details: {
          skill: 'b',
          needsBytes: 4_000,
          loadedSkills: ['a', 'c'],
          budget: { maxLoaded: 8, maxBytes: 9_000, loaded: 2, bytes: 8_000 },
        },
      },
    })
    expect((await registry.list()).budget).toMatchObject({ loaded: 2, bytes: 8_000 })
    expect((await loaded(registry, 'a')).firstLoad).toBe(false)
  })

  it('different skills at once never exceed the budget together', async () => {
    const { registry } = await three({ budget: { maxLoaded: 2 } })
    const outcomes = await Promise.all(['a', 'b', 'c'].map((id) => registry.load(id)))
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(2)
    expect((await registry.list()).budget).toMatchObject({ loaded: 2, bytes: 8_000 })
  })

  it('unload frees the budget', async () => {
    const { registry } = await three({ budget: { maxLoaded: 1 } })
    await loaded(registry, 'a')
    expect((await registry.load('b')).ok).toBe(false)
    expect([registry.unload('a'), registry.unload('a'), registry.unload('none')]).toEqual([
      true,
      false,
      false,
    ])
    expect((await loaded(registry, 'b')).budget).toMatchObject({ loaded: 1, bytes: 4_000 })
  })

  it('keeps the text of the first load in this run, and says when the file changed', async () => {
    const { registry, folder } = await three()
    const file = join(folder, 'skills/a/SKILL.md')
    const first = await loaded(registry, 'a')
    writeFileSync(file, skillText('a', 'NEW ORDERS'))
    expect(await loaded(registry, 'a')).toEqual({ ...first, firstLoad: false, changedOnDisk: true })
    rmSync(file)
    expect(await loaded(registry, 'a')).toMatchObject({ body: first.body, changedOnDisk: true })
    writeFileSync(file, skillText('a', 'a'.repeat(4_000)))
    expect(await loaded(registry, 'a')).toMatchObject({ changedOnDisk: false })
    registry.unload('a')
    writeFileSync(file, skillText('a', 'NEW ORDERS'))
    expect(await loaded(registry, 'a')).toMatchObject({
      body: first.body,
      firstLoad: true,
      changedOnDisk: true,
    })
  })

  it('takes the text as it is at the first load; what it asks for stays what the policy was told', async () => {
    const { registry, folder } = await three()
    writeFileSync(join(folder, 'skills/a/SKILL.md'), skillText('a', 'LATER', 'allowed-tools: Bash\n'))
    expect(await loaded(registry, 'a')).toMatchObject({ body: 'LATER', info: { bytes: 5, requests: [] } })
    expect(permissionRequests(registry)).toEqual([])
  })

  it('of a skill that became unusable, or another one, is refused and costs nothing', async () => {
    const { registry, folder } = await three()
    writeFileSync(join(folder, 'skills/a/SKILL.md'), 'no front matter')
    expect(await registry.load('a')).toMatchObject({ ok: false, error: { code: 'skill_unreadable' } })
    writeFileSync(join(folder, 'skills/a/SKILL.md'), skillText('other'))
    expect(await registry.load('a')).toMatchObject({ ok: false, error: { code: 'skill_unreadable' } })
    rmSync(join(folder, 'skills/b'), { recursive: true })
    expect(await registry.load('b')).toMatchObject({ ok: false, error: { code: 'skill_unreadable' } })
    expect((await registry.list()).budget.loaded).toBe(0)
  })
})

describe('an id is a key, never a path', () => {
  for (const id of [
    '../a',
    'a/../b',
    '/etc/passwd',
    'skills/a',
    'a/',
    './a',
    '',
    '__proto__',
    'constructor',
    'toString',
    'a\0',
  ]) {
    it(`${JSON.stringify(id)} is not found`, async () => {
      const { registry } = await three()
      expect(await registry.load(id)).toMatchObject({
        ok: false,
        error: { code: 'skill_not_found', message: 'There is no such skill. The skills are: a, b, c.' },
      })
      expect(registry.unload(id)).toBe(false)
      expect(registry.wishes?.(id)).toEqual([])
    })
  }

  it('one that differs only in case, blanks or hyphens names the near one', async () => {
    const { registry } = await registryOf({ 'skills/data-digest/SKILL.md': skillText('data-digest') })
    for (const id of ['Data-Digest', 'data_digest', ' data digest', 'data\u2011digest']) {
      const outcome = await registry.load(id)
      expect(!outcome.ok && outcome.error.hint).toBe('Did you mean data-digest?')
    }
  })
})

describe('what a skill asks for', () => {
  const asks =
    'allowed-tools: Bash(git:*), Write Frobnicate\nmetadata:\n  kgent-permissions: crm.write, network * filesystem_write\n'

  it('reaches the policy as requests; words that no permission stands for are remarked on', async () => {
    const { registry } = await registryOf({
      'skills/a/SKILL.md': skillText('a', 'x', asks),
      'skills/b/SKILL.md': skillText('b'),
    })
    expect(permissionRequests(registry)).toEqual([
      { id: 'a', permissions: ['crm.write', 'filesystemWrite', 'network', 'shell'] },
    ])
    const { skills } = await registry.list()
    expect(skills[0]?.requests).toEqual(['crm.write', 'filesystemWrite', 'network', 'shell'])
    expect(skills[0]?.remarks).toEqual([
      'Line 4: allowed-tools asks for "Frobnicate", which no permission stands for; it has no effect.',
      'Line 5: metadata asks for "*", "filesystem_write", which no permission stands for; it has no effect.',
    ])
  })

  it('and what became of it is what the host says', async () => {
    const wish: PermissionWish = {
      permission: 'shell',
      requestedBy: 'skill:a',
      granted: false,
      grantedBy: null,
      reason: 'off',
    }
    const wishesOf = (id: string) => (id === 'a' ? [wish] : [])
    const { registry } = await registryOf({ 'skills/a/SKILL.md': skillText('a', 'x', asks) }, { wishesOf })
    expect(registry.wishes?.('a')).toEqual([wish])
    expect(registry.wishes?.('b')).toEqual([])
  })

  it('no field of a skill becomes anything but a request', async () => {
    const fields = [
      'permissions',
      'grants',
      'allow',
      'filesystemDelete',
      'shell',
      'rules',
      'policy',
      'kgent-permissions',
      'allowedTools',
    ]
    const more = `${fields.map((field) => `${field}: shell`).join('\n')}\nmetadata:\n${fields.map((field) => `  ${field}: crm.write`).join('\n')}\n`
    const { registry } = await registryOf({ 'skills/a/SKILL.md': skillText('a', 'x', more) })
    expect(permissionRequests(registry)).toEqual([{ id: 'a', permissions: ['crm.write'] }])
    const { skills } = await registry.list()
    expect(Object.keys(skills[0] ?? {}).sort()).toEqual(
      ['bytes', 'description', 'id', 'loaded', 'name', 'path', 'remarks', 'requests', 'tokens'].sort(),
    )
  })
})

describe('skillMounts', () => {
  it('gives one read-only mount for each usable skill', async () => {
    const { registry, folder } = await registryOf({
      'skills/group/a/SKILL.md': skillText('a'),
      'skills/bad/SKILL.md': '',
    })
    expect(skillMounts(registry)).toEqual([
      { name: 'skills/a', dir: join(folder, 'skills/group/a'), mode: 'ro' },
    ])
  })

  it('needs the registry itself', async () => {
    const { registry } = await three()
    expect(() => skillMounts({ ...registry })).toThrow(KgentError)
    expect(() => permissionRequests({ ...registry })).toThrow(KgentError)
  })
})
