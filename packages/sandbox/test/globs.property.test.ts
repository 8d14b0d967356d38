import fc from 'fast-check'
import picomatch from 'picomatch'
import { expect, it } from 'vitest'
import { expectFailure, tree, unwrap } from './fixture.ts'

const PARTS = ['a', 'b', '.x', '*', '?', '**', '[ab]', '[^a]', '{a,b}', '{a,b*}', 'a.ts']
const NAMES = ['a', 'b', 'ab', '.x', 'a.ts', 'xa', 'b.b']

it('a glob matches what picomatch matches, with leading dots like any other character', async () => {
  const { sandbox } = tree({ ...Object.fromEntries(paths().map((path) => [`workspace/${path}`, ''])) })
  const all = unwrap(await sandbox.listFiles('.', { recursive: true, limit: 1_000 })).entries.map(
    ({ path }) => path.slice(10),
  )
  const segment = fc
    .array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 2 })
    .map((parts) => parts.join(''))
  const glob = fc.array(segment, { minLength: 1, maxLength: 3 }).map((segments) => segments.join('/'))
  await fc.assert(
    // Three stars, stars that touch other characters, and whether `x/**` is also x, are read differently by libraries.
    fc.asyncProperty(
      glob.filter((text) => !/\*\*[^/]|[^/]\*\*|\/\*\*$/.test(text)),
      async (text) => {
        const listed = unwrap(
          await sandbox.listFiles('.', { recursive: true, glob: text, limit: 1_000 }),
        ).entries
        const matches = picomatch(text, { dot: true, basename: !text.includes('/'), strictSlashes: false })
        expect(listed.map(({ path }) => path.slice(10))).toEqual(all.filter((path) => matches(path)))
      },
    ),
    { numRuns: 400 },
  )
})

it('a leading ! means everything else', async () => {
  const { sandbox } = tree({
    'workspace/a.ts': '',
    'workspace/b.md': '',
    'workspace/node_modules/x/c.ts': '',
  })
  const names = async (glob: string) =>
    unwrap(await sandbox.listFiles('.', { recursive: true, glob })).entries.map(({ path }) => path.slice(10))
  expect(await names('!*.ts')).toEqual(['b.md', 'node_modules', 'node_modules/x'])
  expect(await names('!**/{node_modules,dist}/**')).toEqual(['a.ts', 'b.md'])
})

it('no glob takes more than linear time', async () => {
  const { sandbox } = tree({ [`workspace/${'a'.repeat(200)}`]: '' })
  for (const glob of [`${'*a'.repeat(30)}b`, `${'{a,aa}'.repeat(40)}b`, `${'**/'.repeat(50)}b`]) {
    expect(unwrap(await sandbox.listFiles('.', { glob })).entries).toEqual([])
  }
})

it.each(['!!a', '+(a|b)', 'a{b', 'a}', '[a', 'a\\', 'x'.repeat(1_001)])(
  '%s is refused with what to write instead',
  async (glob) => {
    const { sandbox } = tree()
    expectFailure(await sandbox.listFiles('.', { glob }), 'invalid_glob')
    expectFailure(await sandbox.grepFiles('x', { glob }), 'invalid_glob')
  },
)

function paths(): string[] {
  return NAMES.flatMap((a) => [`${a}1`, ...NAMES.flatMap((b) => [`${a}/${b}`, `d/${a}/${b}`])])
}
