import { hash, randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { lstat, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import {
  type ArtifactInput,
  type ArtifactRef,
  type ArtifactStore,
  type ErrorCode,
  fail,
  KgentError,
  type Outcome,
  succeed,
} from '@kgent/contracts'
import { errnoOf } from './log-failure.ts'

export interface ArtifactStoreOptions {
  /** Folder of the content; made when it is not there. */
  dir: string
  /** Name of the mount under which agents read it. Default `artifacts`. */
  mountName?: string
  /** Largest content, in bytes. Default 64 MiB. */
  maxBytes?: number
  /** `os` (default) or `disk`: also wait until the disk has the content. */
  durability?: 'os' | 'disk'
}

const DEFAULT_MAX_BYTES = 64 * 1024 * 1024
const NAME_CHARS = 32

const EXTENSIONS: Record<string, string> = {
  'application/json': 'json',
  'text/plain': 'txt',
  'text/markdown': 'md',
  'text/csv': 'csv',
  'text/html': 'html',
  'application/xml': 'xml',
  'application/pdf': 'pdf',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/svg+xml': 'svg',
}
const OTHER_EXTENSION = 'bin'

/**
 * Keeps content under its hash: the same content is stored once, whatever media type it is given as later.
 * **Throws:** `KgentError` (`run_unusable`) when the folder cannot be made.
 */
export function createArtifactStore(options: ArtifactStoreOptions): ArtifactStore {
  const { dir, mountName = 'artifacts', maxBytes = DEFAULT_MAX_BYTES } = options
  makeFolder(dir)
  const stored = new Map<string, Promise<Outcome<string>>>()

  async function put({ content, mediaType = 'text/plain' }: ArtifactInput): Promise<Outcome<ArtifactRef>> {
    const bytes = bytesOf(content)
    if (!bytes.ok) return bytes
    if (bytes.value.length > maxBytes) return tooLarge(bytes.value.length, maxBytes)
    const sha256 = hash('sha256', bytes.value, 'hex')
    const name = await storedName(sha256, bytes.value, mediaType)
    if (!name.ok) return name
    return succeed({ path: `${mountName}/${name.value}`, bytes: bytes.value.length, sha256, mediaType })
  }

  function storedName(sha256: string, bytes: Buffer, mediaType: string): Promise<Outcome<string>> {
    const known = stored.get(sha256)
    if (known) return known
    const storing = store({ sha256, bytes, mediaType }).catch(faultOf)
    stored.set(sha256, storing)
    void storing.then((outcome) => outcome.ok || stored.delete(sha256))
    return storing
  }

  async function store({ sha256, bytes, mediaType }: Content): Promise<Outcome<string>> {
    const stem = sha256.slice(0, NAME_CHARS)
    const extension = extensionOf(mediaType)
    for (const other of new Set([extension, ...Object.values(EXTENSIONS), OTHER_EXTENSION])) {
      if (await holds(join(dir, `${stem}.${other}`), bytes.length)) return succeed(`${stem}.${other}`)
    }
    const name = `${stem}.${extension}`
    await writeWhole(join(dir, name), bytes, options.durability === 'disk')
    return succeed(name)
  }

  return { put: (artifact) => put(artifact).catch(faultOf) }
}

interface Content {
  sha256: string
  bytes: Buffer
  mediaType: string
}

function makeFolder(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true })
  } catch (thrown) {
    throw new KgentError(
      'run_unusable',
      `The folder for artifacts cannot be made (${errnoOf(thrown)}). Give a folder that this process may write to.`,
    )
  }
}

function bytesOf(content: unknown): Outcome<Buffer> {
  if (content instanceof Uint8Array) return succeed(Buffer.from(content))
  if (typeof content !== 'string')
    return fail('invalid_input', 'The content of an artifact is text or bytes.')
  if (content.isWellFormed()) return succeed(Buffer.from(content))
  return fail('invalid_encoding', 'The content holds half of a surrogate pair, which UTF-8 cannot say.')
}

function extensionOf(mediaType: string): string {
  const plain = mediaType.split(';')[0]?.trim().toLowerCase() ?? ''
  if (Object.hasOwn(EXTENSIONS, plain)) return EXTENSIONS[plain] ?? OTHER_EXTENSION
  if (plain.endsWith('+json')) return 'json'
  return plain.startsWith('text/') ? 'txt' : OTHER_EXTENSION
}

async function holds(file: string, bytes: number): Promise<boolean> {
  try {
    const status = await lstat(file)
    return status.isFile() && status.size === bytes
  } catch {
    return false
  }
}

/** Writes beside the folder and moves in, so that agents, who see the folder, never see a half. */
async function writeWhole(file: string, bytes: Buffer, isSynced: boolean): Promise<void> {
  const folder = dirname(file)
  const temporary = join(dirname(folder), `.${basename(folder)}-${randomUUID()}.tmp`)
  try {
    const handle = await open(temporary, 'wx', 0o644)
    try {
      await handle.writeFile(bytes)
      if (isSynced) await handle.datasync()
    } finally {
      await handle.close()
    }
    await rename(temporary, file)
  } catch (thrown) {
    await rm(temporary, { force: true }).catch(() => {})
    throw thrown
  }
}

function tooLarge(bytes: number, maxBytes: number): Outcome<never> {
  return fail('too_large', `The content has ${bytes} bytes; an artifact may have ${maxBytes}.`, {
    details: { bytes, maxBytes },
  })
}

const CODES: Record<string, ErrorCode> = {
  ENOSPC: 'disk_full',
  EDQUOT: 'disk_full',
  EROFS: 'read_only',
  EACCES: 'access_denied',
  EPERM: 'access_denied',
}

function faultOf(thrown: unknown): Outcome<never> {
  const errno = errnoOf(thrown)
  return fail(CODES[errno] ?? 'io_error', `The artifact could not be stored (${errno}).`)
}
