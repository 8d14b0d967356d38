import { expect, it } from 'vitest'
import { folder, kgent } from './fixture.ts'

it('skills check prints problems with their lines and fails, for the CI of an author', async () => {
  const dir = folder({
    'good/SKILL.md': '---\nname: good\ndescription: A sound skill.\n---\nBody\n',
    'bad/SKILL.md': '---\nname: bad\n---\nBody\n',
  })
  const checked = await kgent(['skills', 'check', dir])
  expect(checked.code).toBe(1)
  expect(checked.out).toMatch(/usable {4}.*good\/SKILL\.md/)
  expect(checked.out).toMatch(/unusable {2}.*bad\/SKILL\.md\n {10}.*description/)
  expect((await kgent(['skills', 'check', '/no/such'])).code).toBe(2)
})

it('the skills that come with kgent are listed with their cost, and are strictly valid', async () => {
  const listed = await kgent(['skills', 'list'])
  expect(listed.out).toMatch(/^data-digest +\d+ bytes, about \d+ tokens/m)
  expect(listed.out).toMatch(/^findings-report/m)
  const { json, code } = await kgent([
    'skills',
    'check',
    new URL('../skills', import.meta.url).pathname,
    '--strict',
    '--json',
  ])
  expect([code, json().ok]).toEqual([0, true])
})
