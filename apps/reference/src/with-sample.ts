import { loadConfig } from '@kgent/runtime'
import type { Job } from './scripted/scripted-model.ts'
import { configFile, ownPath, type RunFlags } from './shared-options.ts'

/** Without a folder of the person's own, the sample that is shipped with the app is looked through, by its config. */
export function withSample<F extends RunFlags & { job: Job }>(flags: F, cwd: string): F {
  const config = configFile(flags, cwd)
  if (flags.input !== undefined) return flags
  if (config === undefined)
    return flags.job === 'digest'
      ? { ...flags, input: ownPath('sample/data') }
      : { ...flags, input: ownPath('sample/inputs'), config: ownPath('sample/kgent.config.json') }
  const mounts = loadConfig({ configFile: config }).config.sandbox?.mounts ?? []
  return mounts.some(({ name }) => name === 'inputs') ? flags : { ...flags, input: ownPath('sample/inputs') }
}
