import { exec } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { readFile, realpath, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { SandboxSpec, SandboxUnderTest } from '@kgent/sandbox/testing'

/** One thing done wrong on top of a sandbox that is right. */
type Break = (sandbox: SandboxUnderTest, spec: SandboxSpec) => Partial<SandboxUnderTest>

/** A guard with one fault, and the case that must find it. */
export interface BrokenGuard {
  fault: string
  caught: string
  breaks: Break
  module?: string
}

const refusal = (message = 'This path is refused.') =>
  ({ ok: false, error: { code: 'refused', message } }) as const
const text = (content: string) => ({ ok: true, value: { text: content } }) as const
const written = { ok: true, value: {} } as const

/** Where a path leads when nothing is checked. */
function hostPath(spec: SandboxSpec, path: string): string {
  const [name = '', ...rest] = path.split('/')
  const mount = spec.mounts.find((one) => one.name === name)
  return mount ? join(mount.dir, ...rest) : resolve('/', path)
}

function workspaceOf(spec: SandboxSpec): string {
  return hostPath(spec, 'workspace')
}

/** Answers with a refusal whatever is thrown. */
async function orRefuse<T>(work: () => Promise<T>): Promise<T | ReturnType<typeof refusal>> {
  try {
    return await work()
  } catch {
    return refusal()
  }
}

const readsBy =
  (read: (host: string, spec: SandboxSpec) => Promise<string | null>): Break =>
  (_, spec) => ({
    readFile: (path) =>
      orRefuse(async () => {
        const content = await read(hostPath(spec, path), spec)
        return content === null ? refusal() : text(content)
      }),
  })

const writesBy =
  (write: (host: string, content: string, spec: SandboxSpec) => unknown): Break =>
  (_, spec) => ({
    writeFile: (path, content) =>
      orRefuse(async () => {
        await write(hostPath(spec, path), content, spec)
        return written
      }),
  })

const rewritesPath =
  (rewrite: (path: string) => string): Break =>
  (sandbox) => ({ readFile: (path) => sandbox.readFile(rewrite(path)) })

export const BROKEN_GUARDS: BrokenGuard[] = [
  {
    fault: 'compares the beginning of the path as text',
    caught: 'lexical/sibling-prefix',
    breaks: readsBy(async (host, spec) =>
      host.startsWith(workspaceOf(spec)) ? readFile(host, 'utf8') : null,
    ),
  },
  {
    fault: 'resolves the path and opens it afterwards',
    caught: 'races/read-folder',
    breaks: readsBy(async (host, spec) =>
      (await realpath(host)).startsWith(`${workspaceOf(spec)}/`) ? readFile(host, 'utf8') : null,
    ),
  },
  {
    fault: 'resolves the folder and writes into it afterwards',
    caught: 'races/write-folder',
    breaks: writesBy(async (host, content, spec) => {
      if (!(await realpath(dirname(host))).startsWith(`${workspaceOf(spec)}/`)) throw new Error('outside')
      await writeFile(host, content)
    }),
  },
  {
    fault: 'checks the folder and follows the link at the end',
    caught: 'links/file-read',
    breaks: readsBy(async (host, spec) =>
      (await realpath(dirname(host))).startsWith(workspaceOf(spec)) ? readFile(host, 'utf8') : null,
    ),
  },
  {
    fault: 'checks only targets that exist',
    caught: 'links/dangling-write',
    breaks: writesBy(async (host, content, spec) => {
      if (existsSync(host) && !(await realpath(host)).startsWith(workspaceOf(spec)))
        throw new Error('outside')
      await writeFile(host, content)
    }),
  },
  {
    fault: 'reads files whole',
    caught: 'size/large-read',
    breaks: readsBy((host) => readFile(host, 'utf8')),
  },
  {
    fault: 'opens whatever is there',
    caught: 'special/fifo-read',
    breaks: readsBy(async (host) => ((await stat(host)).isDirectory() ? null : readFile(host, 'utf8'))),
  },
  {
    fault: 'searches with backtracking expressions',
    caught: 'search/backtracking',
    breaks: (_, spec) => ({
      async grepFiles(pattern) {
        const expression = new RegExp(pattern)
        const lines = readFileSync(hostPath(spec, 'workspace/r.txt'), 'utf8').split('\n')
        const matches = lines
          .filter((line) => expression.test(line))
          .map((line) => ({ path: 'r.txt', text: line }))
        return { ok: true, value: { matches, truncated: false } }
      },
    }),
  },
  {
    fault: 'searches with a shell',
    caught: 'search/shell',
    breaks: (_, spec) => ({
      grepFiles: (pattern) =>
        new Promise((done) => {
          exec(`grep -rn "${pattern}" .`, { cwd: workspaceOf(spec) }, () =>
            done({ ok: true, value: { matches: [], truncated: false } }),
          )
        }),
    }),
  },
  {
    fault: 'writes in place through hard links',
    caught: 'hard-links/write',
    breaks: writesBy((host, content) => writeFileSync(host, content)),
  },
  {
    fault: 'decodes percent signs',
    caught: 'lexical/percent',
    breaks: rewritesPath((path) => decodeURIComponent(path)),
  },
  {
    fault: 'trims paths',
    caught: 'lexical/padding',
    breaks: rewritesPath((path) => path.trim()),
  },
  {
    fault: 'composes letters',
    caught: 'path/unicode-forms',
    breaks: rewritesPath((path) => path.normalize('NFC')),
  },
  {
    fault: 'cuts the path at a NUL',
    caught: 'path/nul',
    breaks: rewritesPath((path) => path.split('\0')[0] || 'workspace/note.txt'),
  },
  {
    fault: 'knows the home folder',
    caught: 'path/home',
    breaks: (sandbox, spec) => ({
      readFile: (path) =>
        path.startsWith('~/')
          ? Promise.resolve(text(readFileSync(join(homedir(), path.slice(2)), 'utf8')))
          : sandbox.readFile(path.replace(workspaceOf(spec), 'workspace')),
    }),
  },
  {
    fault: 'shows host paths in errors',
    caught: 'path/missing',
    breaks: (_, spec) => ({
      readFile: (path) =>
        readFile(hostPath(spec, path), 'utf8').then(text, (thrown: Error) => refusal(thrown.message)),
    }),
  },
  {
    fault: 'throws instead of answering',
    caught: 'lexical/absolute',
    breaks: () => ({ readFile: () => Promise.reject(new Error('outside of the root')) }),
  },
  {
    fault: 'follows links while listing',
    caught: 'links/list',
    breaks: (_, spec) => ({
      listFiles: async (path, { recursive = false } = {}) => ({
        ok: true,
        value: {
          entries: readdirSync(hostPath(spec, path), { recursive, encoding: 'utf8' }).map((name) => ({
            path: name,
          })),
          truncated: false,
        },
      }),
    }),
  },
  {
    fault: 'lists folders without a bound',
    caught: 'size/many-entries',
    breaks: (_, spec) => ({
      listFiles: async (path) => ({
        ok: true,
        value: {
          entries: readdirSync(hostPath(spec, path)).map((name) => ({ path: name })),
          truncated: false,
        },
      }),
    }),
  },
  {
    fault: 'forgets that a mount is read-only',
    caught: 'write/read-only-mount',
    breaks: writesBy((host, content) => writeFileSync(host, content)),
  },
  {
    fault: 'makes the folders before it looks',
    caught: 'links/new-below',
    breaks: (sandbox, spec) => ({
      writeFile(path, content) {
        mkdirSync(dirname(hostPath(spec, path)), { recursive: true })
        return sandbox.writeFile(path, content)
      },
    }),
  },
  {
    fault: 'renames over the target and loses its mode',
    caught: 'write/mode',
    breaks: writesBy((host, content) => {
      writeFileSync(`${host}.tmp`, content)
      chmodSync(`${host}.tmp`, 0o644)
      renameSync(`${host}.tmp`, host)
    }),
  },
  {
    fault: 'follows a link one step and does not look again',
    caught: 'links/folder-read',
    breaks: readsBy(async (host, spec) => {
      const folder = dirname(host)
      const target = lstatSync(folder).isSymbolicLink()
        ? resolve(dirname(folder), readlinkSync(folder))
        : folder
      return target.startsWith(workspaceOf(spec)) ? readFile(host, 'utf8') : null
    }),
  },
  {
    fault: 'writes piece by piece into the file itself',
    caught: 'crash/three-writers',
    breaks: () => ({}),
    module: new URL('./fixtures/writes-in-place.mjs', import.meta.url).href,
  },
]
