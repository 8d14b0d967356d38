import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, statSync } from 'node:fs'
import type { CaseDefinition } from '../case-definition.ts'
import type { CaseTree } from '../case-tree.ts'

const modeOf = (tree: CaseTree, path: string) => statSync(tree.at(path)).mode & 0o777

/** Writing: whole or not at all, with what was there kept in every refusal. */
export const writeCases: CaseDefinition[] = [
  {
    id: 'write/exact',
    name: 'the bytes on the disk are those that were given',
    async run(guard, tree) {
      for (const text of [
        '\ufeffa\r\nb\0c\tend',
        `EOF\n$(touch ${tree.outside}/pwned)\n'"\`id\`\\\nEOF\n`,
        '',
        'ä€😀',
      ]) {
        await guard.writes('workspace/exact.txt', text)
        assert.equal(tree.contentOf('exact.txt'), text)
      }
    },
  },
  {
    id: 'write/shorter',
    name: 'shorter content leaves nothing of the longer',
    async run(guard, tree) {
      for (const text of ['hi', '']) {
        await guard.writes('workspace/note.txt', text)
        assert.equal(tree.contentOf('note.txt'), text)
      }
    },
  },
  {
    id: 'write/folder',
    name: 'a folder is not replaced by a file',
    async run(guard, tree) {
      await guard.refusesToWrite('workspace/sub', 'workspace/sub/', 'workspace')
      assert.equal(tree.contentOf('sub/a.txt'), 'alpha\n')
    },
  },
  {
    id: 'write/below-file',
    name: 'nothing is written below a file',
    async run(guard, tree) {
      await guard.refusesToWrite('workspace/note.txt/child.txt')
      assert.equal(tree.contentOf('note.txt'), 'hello note\n')
    },
  },
  {
    id: 'write/read-only-mount',
    name: 'a read-only mount takes no write, and can be read',
    needs: ['readOnlyMounts'],
    async run(guard) {
      await guard.refusesToWrite('reference/doc.txt', 'reference/new.txt', 'reference/made/new.txt')
      await guard.refusesToWrite('workspace/../reference/new.txt')
      assert.equal(await guard.reads('reference/doc.txt'), 'reference text\n')
    },
  },
  {
    id: 'write/protected-file',
    name: 'a file without a write bit is refused, or replaced whole with its mode',
    needs: ['unix'],
    prepare(tree) {
      tree.put('ro.txt', 'old\n')
      tree.chmod('ro.txt', 0o444)
    },
    async run(guard, tree) {
      const answer = await guard.write('workspace/ro.txt', 'new\n')
      assert.equal(tree.contentOf('ro.txt'), answer.ok ? 'new\n' : 'old\n')
      assert.equal(modeOf(tree, 'ro.txt'), 0o444)
    },
  },
  {
    id: 'write/protected-folder',
    name: 'a folder without a write bit gets no new file',
    needs: ['modes'],
    prepare(tree) {
      tree.put('locked/f.txt', 'old\n')
      tree.chmod('locked', 0o555)
    },
    async run(guard, tree) {
      await guard.refusesToWrite('workspace/locked/new.txt')
      const answer = await guard.write('workspace/locked/f.txt', 'new\n')
      assert.equal(tree.contentOf('locked/f.txt'), answer.ok ? 'new\n' : 'old\n')
    },
  },
  {
    id: 'write/mode',
    name: 'a file keeps its mode when it is written',
    needs: ['unix'],
    prepare(tree) {
      for (const [path, mode] of [
        ['run.sh', 0o755],
        ['private.txt', 0o600],
      ] as const) {
        tree.put(path, 'old\n')
        tree.chmod(path, mode)
      }
    },
    async run(guard, tree) {
      await guard.writes('workspace/run.sh', 'new\n')
      await guard.writes('workspace/private.txt', 'new\n')
      assert.equal(modeOf(tree, 'run.sh'), 0o755)
      assert.equal(modeOf(tree, 'private.txt'), 0o600)
    },
  },
  {
    id: 'write/surrogate',
    name: 'a lone surrogate is refused, or replaced by U+FFFD',
    async run(guard, tree) {
      const answer = await guard.write('workspace/s.txt', 'a\ud800b\udc00c')
      assert.equal(tree.contentOf('s.txt'), answer.ok ? 'a\ufffdb\ufffdc' : null)
      assert.equal(await guard.reads('workspace/note.txt'), 'hello note\n')
    },
  },
  {
    id: 'write/run-log',
    name: 'the log beside the workspace cannot be forged',
    async run(guard, { logs }) {
      for (const path of ['workspace/../logs/events.jsonl', '../logs/events.jsonl', `${logs}/events.jsonl`])
        await guard.refusesToWrite(path)
      await guard.write('logs/events.jsonl')
    },
  },
  {
    id: 'write/disk-full',
    name: 'on a full disk the old content stays, and nothing is left beside it',
    needs: ['tmpfs'],
    prepare(tree) {
      mkdirSync(tree.at('small'))
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=512k,mode=777', 'tmpfs', tree.at('small')])
      tree.atEnd(() => execFileSync('umount', [tree.at('small')]))
      tree.put('small/f.txt', 'old\n')
    },
    async run(guard, tree) {
      const answer = await guard.write('workspace/small/f.txt', 'x'.repeat(3_000_000))
      assert.ok(!answer.ok, 'a disk of 512 KB does not take 3 MB')
      assert.equal(tree.contentOf('small/f.txt'), 'old\n')
      assert.deepEqual(await guard.lists('workspace/small'), ['workspace/small/f.txt'])
      await guard.writes('workspace/small/g.txt', 'there is room again\n')
    },
  },
]
