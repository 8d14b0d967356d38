import { KgentError } from '@kgent/contracts'
import { type AnyToolDefinition, BUILT_IN_TOOLS } from '@kgent/tools-core'
import type { LoadedConfig } from './load-config.ts'

/**
 * The tools of a run: the built-in ones and the host's, less what the config leaves out.
 *
 * **Throws:** `KgentError` (`config_invalid`) for a name that no tool has.
 */
export function chooseTools(loaded: LoadedConfig, own: readonly AnyToolDefinition[]): AnyToolDefinition[] {
  const all = allTools(own)
  const { enable, disable = [] } = loaded.config.tools ?? {}
  checkNames(enable ?? [], { all, place: `${loaded.label}.tools.enable` })
  checkNames(disable, { all, place: `${loaded.label}.tools.disable` })
  return all.filter(({ name }) => (enable === undefined || enable.includes(name)) && !disable.includes(name))
}

/** Every tool that a run could have. */
export function allTools(own: readonly AnyToolDefinition[]): AnyToolDefinition[] {
  return [...BUILT_IN_TOOLS, ...own]
}

function checkNames(
  names: readonly string[],
  known: { all: readonly AnyToolDefinition[]; place: string },
): void {
  for (const [index, name] of names.entries()) {
    if (known.all.some((tool) => tool.name === name)) continue
    const real = known.all.map((tool) => tool.name).join(', ')
    throw new KgentError(
      'config_invalid',
      `${known.place}[${index}]: there is no tool ${JSON.stringify(name)}. The tools are: ${real}.`,
    )
  }
}
