import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { type Actor, type EffectivePermissionPolicy, KgentError, type RunContext } from '@kgent/contracts'
import type { AnyToolDefinition } from '@kgent/tools-core'
import type { KgentConfig } from './config-schema.ts'
import type { RunFolder } from './run-folder.ts'
import { KGENT_VERSION } from './version.ts'

export type RunStatus = 'running' | 'completed' | 'failed' | 'interrupted'

/** The content of `run.json`: what a run was made of and how it ended. */
export interface RunManifest {
  v: 1
  runId: string
  status: RunStatus
  startedAt: string
  endedAt: string | null
  /** How often the run was continued. */
  continued: number
  versions: { kgent: string; node: string; platform: string }
  configSha256: string
  actor: Actor | null
  guarantee: 'race-free' | 'checked'
  mounts: { name: string; mode: 'ro' | 'rw' }[]
  skills: string[]
  tools: string[]
  policy: Omit<EffectivePermissionPolicy, 'check'>
  memory: { writeMode: string; scopes: readonly string[] }
  /** Hash of the last line of each log at the end of the run; null while it runs. */
  lastHash: { tools: string | null; events: string | null; errors: string | null } | null
}

interface ManifestParts {
  folder: RunFolder
  config: KgentConfig
  context: RunContext
  policy: EffectivePermissionPolicy
  definitions: readonly AnyToolDefinition[]
}

/** The manifest at the start of a run, or of the next part of a continued one. */
export async function beginManifest({
  folder,
  config,
  context,
  policy,
  definitions,
}: ManifestParts): Promise<RunManifest> {
  const earlier = folder.continued ? readManifest(folder.manifest) : null
  const { check: _check, ...policyData } = policy
  const { skills } = await context.skills.list()
  return {
    v: 1,
    runId: folder.id,
    status: 'running',
    startedAt: earlier?.startedAt ?? new Date().toISOString(),
    endedAt: null,
    continued: earlier === null ? 0 : earlier.continued + 1,
    versions: {
      kgent: KGENT_VERSION,
      node: process.version,
      platform: `${process.platform}-${process.arch}`,
    },
    configSha256: createHash('sha256').update(JSON.stringify(config)).digest('hex'),
    actor: context.actor,
    guarantee: context.sandbox.guarantee,
    mounts: context.sandbox.mounts.map(({ name, mode }) => ({ name, mode })),
    skills: skills.map(({ id }) => id),
    tools: definitions.map(({ name }) => name),
    policy: policyData,
    memory: { writeMode: config.memory?.writeMode ?? 'candidate', scopes: context.memory.scopes ?? [] },
    lastHash: null,
  }
}

/** Replaces the manifest in one step: readers see the old or the new one. */
export function writeManifest(file: string, manifest: RunManifest): void {
  const temporary = `${file}.new`
  const descriptor = openSync(temporary, 'w', 0o644)
  writeSync(descriptor, `${JSON.stringify(manifest, null, 2)}\n`)
  fsyncSync(descriptor)
  closeSync(descriptor)
  renameSync(temporary, file)
}

/** **Throws:** `KgentError` (`run_unusable`) when the file holds no manifest. */
export function readManifest(file: string): RunManifest {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as RunManifest
  } catch {
    throw new KgentError(
      'run_unusable',
      `The manifest ${file} cannot be read. The run cannot be continued; choose another run id.`,
    )
  }
}
