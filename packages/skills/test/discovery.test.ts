import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, realpathSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createSkillRegistry, KgentError, skillMounts } from '@kgent/skills'
import { describe, expect, it, onTestFinished } from 'vitest'
import { asNobody, folderWith, registryOf, skillText, summaryOf } from './fixture.ts'

describe('where skills are looked for', () => {
  it('a folder with SKILL.md, up to three folders down; what looks like one elsewhere is named as skipped', async () => {
    const { registry } = await registryOf({
      'skills/good/SKILL.md': skillText('good'),
      'skills/group/inner/SKILL.md': skillText('inner'),
      'skills/a/b/deep/SKILL.md': skillText('deep'),
      'skills/a/b/c/deeper/SKILL.md': skillText('deeper'),
      'skills/good/examples/demo/SKILL.md': skillText('demo'),
      'skills/SKILL.md': skillText('top'),
      'skills/lower/skill.md': skillText('lower'),
      'skills/node_modules/x/SKILL.md': skillText('dep'),
      'skills/.hidden/y/SKILL.md': skillText('hidden'),
      'skills/notes/README.md': 'no skill here',
    })
    expect(await summaryOf(registry)).toEqual({
      ids: ['deep', 'good', 'inner', 'lower'],
      problems: [
        'skills/.hidden/y/SKILL.md: Skipped: it lies in the hidden folder .hidden, which is not searched.',
        'skills/SKILL.md: Skipped: it lies in the skills folder itself; put it in a folder of its own.',
        'skills/a/b/c/deeper/SKILL.md: Skipped: it lies more than 3 folders deep.',
        'skills/good/examples/demo/SKILL.md: Skipped: it lies inside the skill good.',
        'skills/node_modules/x/SKILL.md: Skipped: it lies in node_modules, which is not searched.',
      ],
    })
    for (const id of ['deep', 'good', 'inner', 'lower']) expect((await registry.load(id)).ok).toBe(true)
  })

  it('the depth and the number can be set; what is beyond is named', async () => {
    const files = {
      'skills/a/SKILL.md': skillText('a'),
      'skills/g/b/SKILL.md': skillText('b'),
      'skills/z/SKILL.md': skillText('z'),
    }
    const { registry } = await registryOf(files, { maxDepth: 1, maxSkills: 1 })
    expect(await summaryOf(registry)).toEqual({
      ids: ['a'],
      problems: [
        'skills/g/b/SKILL.md: Skipped: it lies more than 1 folders deep.',
        'skills/z/SKILL.md: Skipped: there are more than 1 skills.',
      ],
    })
  })

  it('several roots, each with its label; one that is missing is named, unless it is optional', async () => {
    const folder = folderWith({ 'one/a/SKILL.md': skillText('a'), 'two/b/SKILL.md': '---\n' })
    const registry = await createSkillRegistry({
      roots: [
        { dir: join(folder, 'one') },
        { dir: join(folder, 'two'), label: 'project' },
        { dir: join(folder, 'none') },
        { dir: join(folder, 'maybe'), optional: true },
        { dir: join(folder, 'one', '.', 'a', '..') },
      ],
    })
    expect(await summaryOf(registry)).toEqual({
      ids: ['a'],
      problems: [
        'none: The skills folder does not exist.',
        'one: The same skills folder was given before.',
        'project/b/SKILL.md: Line 1: The front matter is never closed: a line of three hyphens is missing.',
      ],
    })
  })

  it('a root inside another one gives each skill once', async () => {
    const folder = folderWith({ 'skills/group/a/SKILL.md': skillText('a') })
    const roots = [{ dir: join(folder, 'skills') }, { dir: join(folder, 'skills', 'group') }]
    expect(await summaryOf(await createSkillRegistry({ roots }))).toEqual({ ids: ['a'], problems: [] })
  })

  it('a root that is a file is a problem, not an exception', async () => {
    const folder = folderWith({ 'file.txt': 'text' })
    const registry = await createSkillRegistry({ roots: [{ dir: join(folder, 'file.txt') }] })
    expect((await summaryOf(registry)).problems).toEqual(['file.txt: The folder cannot be read (ENOTDIR).'])
  })
})

describe('what stands in the place of a file', () => {
  it('nothing outside the root is read through a link', async () => {
    const folder = folderWith({
      'outside/SKILL.md': skillText('outside', 'SECRET'),
      'skills/in/SKILL.md': skillText('in'),
      'skills/same/README.md': skillText('same'),
    })
    const skills = join(folder, 'skills')
    symlinkSync(join(folder, 'outside'), join(skills, 'linked'))
    symlinkSync(join(skills, 'in'), join(skills, 'alias'))
    mkdirSync(join(skills, 'leak'))
    symlinkSync(join(folder, 'outside', 'SKILL.md'), join(skills, 'leak', 'SKILL.md'))
    symlinkSync('README.md', join(skills, 'same', 'SKILL.md'))
    mkdirSync(join(skills, 'nowhere'))
    symlinkSync('gone', join(skills, 'nowhere', 'SKILL.md'))
    const registry = await createSkillRegistry({ roots: [{ dir: skills }] })
    expect(await summaryOf(registry)).toEqual({
      ids: ['in', 'same'],
      problems: [
        'skills/alias/SKILL.md: Skipped: its folder is a link, and links to folders are not followed.',
        'skills/leak/SKILL.md: The file is a link that leads out of the skills folder.',
        'skills/linked/SKILL.md: Skipped: its folder is a link, and links to folders are not followed.',
        'skills/nowhere/SKILL.md: The file cannot be read (ENOENT).',
      ],
    })
  })

  it('a root may itself be reached through a link', async () => {
    const folder = folderWith({ 'real/a/SKILL.md': skillText('a') })
    symlinkSync(join(folder, 'real'), join(folder, 'skills'))
    const registry = await createSkillRegistry({ roots: [{ dir: join(folder, 'skills') }] })
    expect((await summaryOf(registry)).ids).toEqual(['a'])
    expect(skillMounts(registry)).toEqual([{ name: 'skills/a', dir: join(folder, 'real', 'a'), mode: 'ro' }])
  })

  it('a FIFO, a socket, a folder and a huge file are problems, at once', async () => {
    const folder = folderWith({ 'skills/good/SKILL.md': skillText('good') })
    const at = (name: string) => {
      mkdirSync(join(folder, 'skills', name), { recursive: true })
      return join(folder, 'skills', name, 'SKILL.md')
    }
    execFileSync('mkfifo', [at('fifo')])
    mkdirSync(at('folder'))
    writeFileSync(at('huge'), '')
    truncateSync(at('huge'), 5e9)
    const server = createServer()
    onTestFinished(() => void server.close())
    await new Promise<void>((resolve) => server.listen(at('socket'), resolve))
    const registry = await createSkillRegistry({ roots: [{ dir: join(folder, 'skills') }] })
    const { ids, problems } = await summaryOf(registry)
    expect(ids).toEqual(['good'])
    expect(problems.map((problem) => problem.replace(/\(\w+\)/, '()'))).toEqual([
      'skills/fifo/SKILL.md: This is not a regular file.',
      'skills/folder/SKILL.md: This is not a regular file.',
      'skills/huge/SKILL.md: The file is larger than 1048576 bytes; move details into files beside it.',
      'skills/socket/SKILL.md: The file cannot be read ().',
    ])
  })

  it('what may not be read is a problem', async () => {
    const folder = folderWith({ 'skills/a/SKILL.md': skillText('a'), 'skills/b/x/SKILL.md': skillText('b') })
    chmodSync(folder, 0o755)
    chmodSync(join(folder, 'skills/a/SKILL.md'), 0)
    chmodSync(join(folder, 'skills/b'), 0)
    const registry = await asNobody(() => createSkillRegistry({ roots: [{ dir: join(folder, 'skills') }] }))
    chmodSync(join(folder, 'skills/b'), 0o755)
    expect(await summaryOf(registry)).toEqual({
      ids: [],
      problems: [
        'skills/a/SKILL.md: The file cannot be read (EACCES).',
        'skills/b: The folder cannot be read (EACCES).',
      ],
    })
  })
})

describe('two skills of one id', () => {
  const text = (body: string) => skillText('deploy', body)
  const orders: string[][] = [
    ['skills/a', 'skills/b', 'more/deploy'],
    ['more/deploy', 'skills/b', 'skills/a'],
  ]
  for (const order of orders) {
    it(`the first root wins, the others are named: folders made as ${order.join(', ')}`, async () => {
      const folder = folderWith()
      for (const place of order) {
        mkdirSync(join(folder, place), { recursive: true })
        writeFileSync(join(folder, place, 'SKILL.md'), text(`${place}\n`))
      }
      const roots = [{ dir: join(folder, 'skills') }, { dir: join(folder, 'more') }]
      const registry = await createSkillRegistry({ roots })
      const clash = '3 skills are called deploy: skills/a/SKILL.md, skills/b/SKILL.md, more/deploy/SKILL.md.'
      const { skills } = await registry.list()
      expect(skills).toHaveLength(1)
      expect(skills[0]?.remarks).toContain(`${clash} This one is used.`)
      expect((await summaryOf(registry)).problems).toEqual([
        `more/deploy/SKILL.md: ${clash} skills/a/SKILL.md is used.`,
        `skills/b/SKILL.md: ${clash} skills/a/SKILL.md is used.`,
      ])
      const loaded = await registry.load('deploy')
      expect(loaded.ok && loaded.value.body).toBe('skills/a\n')
    })
  }

  it('in one root the folder of that name wins over one that only claims it', async () => {
    const { registry } = await registryOf({
      'skills/aaa/SKILL.md': text('claims'),
      'skills/deploy/SKILL.md': text('own'),
    })
    const loaded = await registry.load('deploy')
    expect(loaded.ok && loaded.value.body).toBe('own')
  })

  it('ids that differ only in case are one', async () => {
    const { registry } = await registryOf({
      'skills/Deploy/SKILL.md': skillText('Deploy'),
      'skills/deploy/SKILL.md': skillText('deploy'),
    })
    const { ids, problems } = await summaryOf(registry)
    expect(ids).toEqual(['Deploy'])
    expect(problems).toHaveLength(1)
  })
})

describe('options that cannot work', () => {
  const bad: [string, object][] = [
    ['no roots', {}],
    ['a root without a folder', { roots: [{ dir: '' }] }],
    ['half a skill', { roots: [], budget: { maxLoaded: 0.5 } }],
    ['a negative budget', { roots: [], budget: { maxBytes: -1 } }],
    ['no depth', { roots: [], maxDepth: 0 }],
  ]
  for (const [name, options] of bad) {
    it(`${name} is refused with a typed error`, async () => {
      const thrown = await createSkillRegistry(options as never).catch((error) => error)
      expect(KgentError.is(thrown) && thrown.code).toBe('config_invalid')
    })
  }
})

it('no host path is in a list, a problem or a load', async () => {
  const { registry, folder } = await registryOf({
    'skills/a/SKILL.md': skillText('a'),
    'skills/b/SKILL.md': 'none',
    'skills/c/SKILL.md': skillText('a'),
  })
  const said = JSON.stringify([
    await registry.list(),
    await registry.load('a'),
    await registry.load('b'),
    registry,
  ])
  expect(said).not.toContain(realpathSync(folder))
})
