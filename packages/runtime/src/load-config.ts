import { readFileSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { KgentError } from '@kgent/contracts'
import type { z } from 'zod'
import { configSchema, type KgentConfig } from './config-schema.ts'

export interface LoadedConfig {
  config: KgentConfig
  /** What places in messages begin with: the file's name, or `config`. */
  label: string
  /** Folder that relative folders in the config start from. */
  baseDir: string
}

/**
 * Takes the config from a file or as an object, and checks it.
 *
 * **Throws:** `KgentError` (`config_invalid`) naming the file and the place: unreadable, no JSON, unknown key, bad value.
 */
export function loadConfig(options: {
  config?: KgentConfig | undefined
  configFile?: string | undefined
}): LoadedConfig {
  if (options.config !== undefined && options.configFile !== undefined) {
    throw new KgentError('config_invalid', 'Give config or configFile, not both.')
  }
  if (options.configFile === undefined) {
    return { config: checkConfig(options.config ?? {}, 'config'), label: 'config', baseDir: process.cwd() }
  }
  const label = basename(options.configFile)
  const config = checkConfig(parseJson(readText(options.configFile), label), label)
  return { config, label, baseDir: dirname(resolve(options.configFile)) }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (thrown) {
    const code = (thrown as NodeJS.ErrnoException).code
    const why =
      code === 'ENOENT' ? 'does not exist' : code === 'EISDIR' ? 'is a folder' : `cannot be read (${code})`
    throw new KgentError('config_invalid', `The config file ${file} ${why}.`)
  }
}

/** Comments are allowed, as `kgent init` writes them: whole lines that begin with `//`. */
function parseJson(text: string, label: string): unknown {
  const withoutComments = text.replace(/^\uFEFF/, '').replace(/^[ \t]*\/\/.*$/gm, '')
  try {
    return JSON.parse(withoutComments)
  } catch (thrown) {
    throw new KgentError(
      'config_invalid',
      `${label} is not JSON: ${thrown instanceof Error ? thrown.message.slice(0, 200) : 'syntax error'}.`,
    )
  }
}

function checkConfig(value: unknown, label: string): KgentConfig {
  const parsed = configSchema.safeParse(value)
  if (parsed.success) return parsed.data
  const [first, ...others] = parsed.error.issues.map((issue) => describeIssue(issue, label))
  const more = others.length > 0 ? ` (and ${others.length} more: ${others.slice(0, 3).join('; ')})` : ''
  throw new KgentError('config_invalid', `${first}${more}`)
}

function describeIssue(issue: z.core.$ZodIssue, label: string): string {
  const place = issue.path.reduce<string>(
    (path, part) => (typeof part === 'number' ? `${path}[${part}]` : `${path}.${String(part)}`),
    label,
  )
  if (issue.code === 'unrecognized_keys') {
    return `${place} has the unknown key ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}: remove it or correct its spelling`
  }
  return `${place}: ${issue.message}`
}
