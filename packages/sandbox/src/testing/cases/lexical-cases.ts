import assert from 'node:assert/strict'
import type { CaseDefinition } from '../case-definition.ts'

const UP = '../'.repeat(30).slice(0, -1)

/** What a path says must not lead out: told from the text alone. */
export const lexicalCases: CaseDefinition[] = [
  {
    id: 'lexical/dotdot-read',
    name: 'no number of .. reads a file outside',
    run: (guard, { outside }) =>
      guard.refusesToRead(
        `${UP}${outside}/secret.txt`,
        'workspace/../../../outside/secret.txt',
        'workspace/sub/../../../../outside/secret.txt',
        'workspace/sub/../../../../../outside/secret.txt',
      ),
  },
  {
    id: 'lexical/dotdot-write',
    name: 'no number of .. creates or changes a file outside',
    run: (guard, { outside }) =>
      guard.refusesToWrite(
        `${UP}${outside}/new.txt`,
        'workspace/../../../outside/new.txt',
        'workspace/../../../outside/secret.txt',
        'workspace/../../../outside/made/new.txt',
      ),
  },
  {
    id: 'lexical/dotdot-list',
    name: 'no number of .. lists or searches a folder outside',
    async run(guard, { outside, canary }) {
      await guard.refusesToList(`${UP}${outside}`, 'workspace/../../../outside', 'workspace/../logs', '..')
      for (const path of [`${UP}${outside}`, outside, 'workspace/../../../outside', 'workspace/../logs'])
        await guard.grep(canary.slice(0, 6), { path })
    },
  },
  {
    id: 'lexical/absolute',
    name: 'an absolute path of the host is refused',
    async run(guard, { outside }) {
      await guard.refusesToRead(`${outside}/secret.txt`, '/etc/passwd', '/proc/self/environ')
      await guard.refusesToWrite(`${outside}/new.txt`)
    },
  },
  {
    id: 'lexical/sibling-prefix',
    name: 'a folder whose name begins like the mount is outside',
    run: (guard, { workspace }) =>
      guard.refusesToRead(
        'workspace/../workspace-evil/secret.txt',
        `${workspace}-evil/secret.txt`,
        'workspace-evil/secret.txt',
        'workspace/../../r1-evil/secret.txt',
      ),
  },
  {
    id: 'lexical/inner-dotdot',
    name: '.. that stays inside is resolved inside, or refused clearly',
    async run(guard) {
      assert.equal(await guard.reads('workspace/./note.txt'), 'hello note\n')
      assert.equal(await guard.reads('workspace//note.txt'), 'hello note\n')
      for (const path of ['workspace/sub/../note.txt', 'workspace/missing/../note.txt']) {
        const answer = await guard.read(path)
        if (answer.ok) assert.equal(answer.value.text, 'hello note\n')
      }
    },
  },
  {
    id: 'lexical/percent',
    name: 'percent signs are not decoded',
    async run(guard, tree) {
      await guard.refusesToRead(
        'workspace/%2e%2e/%2e%2e/%2e%2e/outside/secret.txt',
        '%2e%2e%2f%2e%2e%2foutside%2fsecret.txt',
        '..%2f..%2f..%2foutside%2fsecret.txt',
        'workspace/%252e%252e/%252e%252e/%252e%252e/outside/secret.txt',
        'workspace/%6eote.txt',
      )
      tree.put('%6eote.txt', 'with a percent sign\n')
      assert.equal(await guard.reads('workspace/%6eote.txt'), 'with a percent sign\n')
    },
  },
  {
    id: 'lexical/backslash',
    name: 'backslashes climb nowhere',
    run: (guard) =>
      guard.refusesToRead(
        '..\\..\\..\\outside\\secret.txt',
        'workspace\\..\\..\\..\\outside\\secret.txt',
        'workspace/..\\..\\../outside/secret.txt',
      ),
  },
  {
    id: 'lexical/dots-and-blanks',
    name: 'dots with blanks, and dots that a filter would strip, climb nowhere',
    run: (guard) =>
      guard.refusesToRead(
        'workspace/.. /.. /.. /outside/secret.txt',
        'workspace/.../.../outside/secret.txt',
        'workspace/....//....//....//outside/secret.txt',
        'workspace/..././..././..././outside/secret.txt',
      ),
  },
  {
    id: 'lexical/padding',
    name: 'blanks and quotes are not trimmed into another path',
    async run(guard, { outside, workspace }) {
      await guard.refusesToRead(
        ` ${outside}/secret.txt`,
        `"${outside}/secret.txt"`,
        `'${outside}/secret.txt'`,
        `\n${outside}/secret.txt\n`,
        'workspace/\t../../../outside/secret.txt',
        ' workspace/../../../../outside/secret.txt',
      )
      await guard.refusesToRead('workspace/note.txt ', 'workspace/note.txt\n', `"${workspace}/note.txt"`)
    },
  },
  {
    id: 'lexical/dotted-names',
    name: 'names that merely hold dots can be used',
    prepare(tree) {
      for (const path of ['..foo/bar.txt', 'a..b.txt', '.../t.txt']) tree.put(path, `${path} is there\n`)
    },
    async run(guard) {
      for (const path of ['..foo/bar.txt', 'a..b.txt', '.../t.txt'])
        assert.equal(await guard.reads(`workspace/${path}`), `${path} is there\n`)
    },
  },
]
