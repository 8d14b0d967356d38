import { resolve } from 'node:path'
import type { EffectivePermissionPolicy, RunContext, ToolLimits } from '@kgent/contracts'
import { createArtifactStore, createRunLog, type RunLog } from '@kgent/logging'
import { buildEffectivePolicy } from '@kgent/permissions'
import { createSandbox } from '@kgent/sandbox'
import { createSkillRegistry, permissionRequests, skillMounts } from '@kgent/skills'
import type { AnyToolDefinition } from '@kgent/tools-core'
import { assembleMemory } from './assemble-memory.ts'
import { allTools, chooseTools } from './choose-tools.ts'
import { type RunTally, tallyEvents } from './close-run.ts'
import type { KgentConfig } from './config-schema.ts'
import type { CreateRunOptions } from './create-run.ts'
import { type LoadedConfig, loadConfig } from './load-config.ts'
import { beginManifest, type RunManifest, writeManifest } from './manifest.ts'
import { runMounts } from './mounts.ts'
import { recordInterrupted } from './record-interrupted.ts'
import { openRunFolder, type RunFolder } from './run-folder.ts'
import { startWarnings } from './start-warnings.ts'

/** Everything that one run is made of. */
export interface RunParts {
  folder: RunFolder
  loaded: LoadedConfig
  log: RunLog
  policy: EffectivePermissionPolicy
  context: RunContext
  definitions: AnyToolDefinition[]
  manifest: RunManifest
  warnings: string[]
  tally: RunTally
}

/** Builds the parts in order: config, folder, log, skills, sandbox, policy, memory; undoes the folder's lock on failure. */
export async function assembleRun(options: CreateRunOptions): Promise<RunParts> {
  const loaded = loadConfig(options)
  const definitions = chooseTools(loaded, options.tools ?? [])
  const folder = openRunFolder(options.runsDir, options.runId)
  const undo: (() => unknown)[] = [folder.release]
  try {
    return await assembleParts({ options, loaded, definitions, folder, undo })
  } catch (thrown) {
    for (const step of undo.reverse()) await step()
    throw thrown
  }
}

interface Assembly {
  options: CreateRunOptions
  loaded: LoadedConfig
  definitions: AnyToolDefinition[]
  folder: RunFolder
  undo: (() => unknown)[]
}

async function assembleParts({ options, loaded, definitions, folder, undo }: Assembly): Promise<RunParts> {
  const { config } = loaded
  const mounts = runMounts(folder, loaded, options.mounts ?? [])
  const skills = await createSkillRegistry({
    roots: skillRoots(loaded, options.skillDirs ?? []),
    budget: withoutUndefined(config.skills?.budget ?? {}),
    wishesOf: (id) => policy.wishes.filter(({ requestedBy }) => requestedBy === `skill:${id}`),
  })
  const sandbox = createSandbox({
    mounts: [...mounts, ...skillMounts(skills)],
    limits: config.sandbox?.limits ?? {},
    durability: config.sandbox?.durability ?? 'os',
  })
  undo.push(() => sandbox.close())
  const policy = buildPolicy({ options, loaded, definitions, folder, undo }, { sandbox, skills })
  const log = createRunLog({
    dir: folder.dir,
    runId: folder.id,
    durability: config.logging?.durability ?? 'os',
    required: config.logging?.required ?? false,
    ...(options.log?.hmacKey && { hmacKey: options.log.hmacKey }),
    redact: { keys: config.logging?.redact ?? [], secrets: options.secrets ?? [] },
  })
  undo.push(() => log.close())
  const tally = tallyEvents((listener) => log.events.subscribe(listener))
  if (options.onEvent) log.events.subscribe(options.onEvent)
  const context: RunContext = {
    runId: folder.id,
    actor: options.actor ?? null,
    sandbox,
    artifacts: createArtifactStore({ dir: folder.artifacts, mountName: 'artifacts' }),
    skills,
    memory: assembleMemory({ options, config, folder, log }),
    logger: options.log?.wrap?.(log.logger) ?? log.logger,
    events: log.events,
    ...(options.approver && { approver: options.approver }),
    limits: toolLimits(config),
  }
  const manifest = await beginManifest({ folder, config, context, policy, definitions })
  writeManifest(folder.manifest, manifest)
  if (folder.continued) await recordInterrupted(folder, log)
  const warnings = await startWarnings({ policy, skills, log })
  log.events.record({
    type: 'run.start',
    data: { continued: manifest.continued, policyMode: policy.mode, guarantee: sandbox.guarantee },
  })
  await log.events.flush()
  return { folder, loaded, log, policy, context, definitions, manifest, warnings, tally }
}

type SkillsAndSandbox = {
  sandbox: RunContext['sandbox']
  skills: Awaited<ReturnType<typeof createSkillRegistry>>
}

function buildPolicy(assembly: Assembly, { sandbox, skills }: SkillsAndSandbox): EffectivePermissionPolicy {
  const { options, loaded } = assembly
  return buildEffectivePolicy({
    ...(options.host && { runtime: options.host }),
    ...(loaded.config.permissions && {
      config: { ...loaded.config.permissions, source: `${loaded.label}.permissions` },
    }),
    skills: permissionRequests(skills),
    sandbox: { mounts: sandbox.mounts },
    // Disabled ones too: a rule about a tool that is switched off is no mistake.
    tools: allTools(options.tools ?? []).map(({ name, permissions }) => ({
      name,
      ...(typeof permissions !== 'function' && { permissions: [...permissions] }),
    })),
  })
}

const DEFAULT_MAX_INLINE_BYTES = 50 * 1024
const DEFAULT_CALL_TIMEOUT_MS = 60_000

function toolLimits({ tools }: KgentConfig): ToolLimits {
  return {
    maxInlineBytes: tools?.limits?.maxInlineBytes ?? DEFAULT_MAX_INLINE_BYTES,
    callTimeoutMs: tools?.limits?.callTimeoutMs ?? DEFAULT_CALL_TIMEOUT_MS,
    ...(tools?.limits?.approvalTimeoutMs && { approvalTimeoutMs: tools.limits.approvalTimeoutMs }),
  }
}

/** What was not set is absent: the packages below tell the two apart. */
function withoutUndefined<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }
}

function skillRoots(loaded: LoadedConfig, given: readonly string[]): { dir: string }[] {
  return [
    ...given.map((dir) => ({ dir })),
    ...(loaded.config.skills?.dirs ?? []).map((dir) => ({ dir: resolve(loaded.baseDir, dir) })),
  ]
}
