import { join } from 'node:path'
import { checkSkills } from '@kgent/skills'
import { describe, expect, it } from 'vitest'
import { folderWith, skillText } from './fixture.ts'

describe('checkSkills', () => {
  it('reports every file of a folder of skills, with lines', async () => {
    const folder = folderWith({
      'skills/good/SKILL.md': skillText('good'),
      'skills/named/SKILL.md': skillText('other'),
      'skills/bad/SKILL.md': '---\nname: bad\n---\n',
      'skills/SKILL.MD': skillText('top'),
    })
    expect(await checkSkills({ dir: join(folder, 'skills') })).toEqual({
      ok: false,
      skills: [
        {
          file: 'skills/bad/SKILL.md',
          id: null,
          findings: [
            expect.objectContaining({ severity: 'error', message: expect.stringContaining('missing') }),
          ],
        },
        { file: 'skills/good/SKILL.md', id: 'good', findings: [] },
        {
          file: 'skills/named/SKILL.md',
          id: 'other',
          findings: [expect.objectContaining({ severity: 'remark', line: 2 })],
        },
      ],
      problems: [{ file: 'skills/SKILL.MD', reason: expect.stringContaining('folder of its own') }],
      skipped: [],
    })
  })

  it('is fine with samples inside a skill, and names them', async () => {
    const folder = folderWith({ 'skills/a/SKILL.md': skillText('a'), 'skills/a/samples/x/SKILL.md': '' })
    expect(await checkSkills({ dir: join(folder, 'skills') })).toMatchObject({
      ok: true,
      problems: [],
      skipped: [{ file: 'skills/a/samples/x/SKILL.md' }],
    })
  })

  it('takes one skill’s own folder too', async () => {
    const folder = folderWith({ 'pdf/SKILL.md': skillText('pdf'), 'pdf/examples/x/SKILL.md': skillText('x') })
    expect(await checkSkills({ dir: join(folder, 'pdf') })).toEqual({
      ok: true,
      skills: [{ file: 'pdf/SKILL.md', id: 'pdf', findings: [] }],
      problems: [],
      skipped: [],
    })
  })

  it('is strict on demand', async () => {
    const folder = folderWith({
      'skills/named/SKILL.md': skillText('other'),
      'skills/low/skill.md': skillText('low'),
    })
    const dir = join(folder, 'skills')
    expect((await checkSkills({ dir })).ok).toBe(true)
    const { ok, skills } = await checkSkills({ dir, strict: true })
    expect([ok, skills.map(({ id }) => id)]).toEqual([false, [null, null]])
  })

  it('names clashes, and a folder that is not there', async () => {
    const folder = folderWith({ 'skills/a/SKILL.md': skillText('a'), 'skills/b/SKILL.md': skillText('a') })
    const { ok, problems } = await checkSkills({ dir: join(folder, 'skills') })
    expect([ok, problems.map(({ file }) => file)]).toEqual([false, ['skills/b/SKILL.md']])
    expect(await checkSkills({ dir: join(folder, 'none') })).toEqual({
      ok: false,
      skills: [],
      problems: [{ file: 'none', reason: 'The skills folder does not exist.' }],
      skipped: [],
    })
  })
})
