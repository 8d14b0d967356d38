import { chmodSync, chownSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createSandbox } from '@kgent/sandbox'
import { describe, expect, it } from 'vitest'
import { expectFailure, tree, unwrap } from './fixture.ts'

const isRoot = process.getuid?.() === 0

describe('writeFile', () => {
  it('writes text that was read from a UTF-16 file back as that', async () => {
    const bytes = Buffer.from('\uFEFFwide ß\r\n', 'utf16le')
    const { sandbox, workspace } = tree({ 'workspace/a': bytes })
    const { text, sha256 } = unwrap(await sandbox.readFile('a'))
    const written = unwrap(await sandbox.writeFile('a', text, { expectedSha256: sha256 ?? '' }))
    expect(readFileSync(join(workspace, 'a'))).toEqual(bytes)
    expect(written).toMatchObject({ sha256, previousSha256: sha256, bytes: bytes.length })
    unwrap(await sandbox.writeFile('a', 'plain'))
    expect(readFileSync(join(workspace, 'a'), 'utf8')).toBe('plain')
  })

  it('makes no file of a name that ends like a folder’s', async () => {
    const { sandbox } = tree()
    expectFailure(await sandbox.writeFile('new/', 'x'), 'not_a_file')
    expectFailure(await sandbox.writeFile('new/.', 'x'), 'not_a_file')
    expect(unwrap(await sandbox.listFiles()).entries).toEqual([])
  })

  it.skipIf(process.platform === 'win32')(
    'keeps permission bits, and no set-user bit for content of an agent',
    async () => {
      const { sandbox, workspace } = tree({ 'workspace/a': 'old' })
      chmodSync(join(workspace, 'a'), 0o4755)
      unwrap(await sandbox.writeFile('a', 'new'))
      expect(statSync(join(workspace, 'a')).mode & 0o7777).toBe(0o755)
    },
  )

  it.skipIf(!isRoot)('keeps the owner of a file that root replaces (only root can)', async () => {
    const { sandbox, workspace } = tree({ 'workspace/a': 'old' })
    chownSync(join(workspace, 'a'), 12_345, 12_346)
    unwrap(await sandbox.writeFile('a', 'new'))
    expect(statSync(join(workspace, 'a'))).toMatchObject({ uid: 12_345, gid: 12_346 })
  })

  it('is the same when it is also synced', async () => {
    const { base } = tree()
    const sandbox = createSandbox({
      mounts: [{ name: 'workspace', dir: join(base, 'workspace'), mode: 'rw' }],
      durability: 'disk',
    })
    unwrap(await sandbox.writeFile('new/folder/a', 'one'))
    expect(unwrap(await sandbox.writeFile('new/folder/a', 'two')).created).toBe(false)
    expect(unwrap(await sandbox.readFile('new/folder/a')).text).toBe('two')
    sandbox.close()
  })

  it('content that is no text is refused, and options may be absent in any way', async () => {
    const { sandbox } = tree()
    expectFailure(await sandbox.writeFile('a', 5 as never), 'invalid_input')
    expectFailure(await sandbox.writeFile('a', undefined as never), 'invalid_input')
    unwrap(await sandbox.writeFile('a', '', null as never))
    unwrap(await sandbox.readFile('a', null as never))
    unwrap(await sandbox.listFiles(undefined, null as never))
  })
})
