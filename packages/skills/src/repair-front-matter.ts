import { parseYaml } from './parse-yaml.ts'

/** Keys whose value is text, so that quoting it cannot change what the author meant. */
const TEXT_KEYS = new Set(['name', 'description', 'license', 'compatibility', 'allowed-tools'])

export interface RepairedYaml {
  yaml: string
  /** Keys whose value was put in quotes. */
  keys: string[]
}

/**
 * Puts plain values of the known text keys in quotes: for front matter that YAML refuses because of a colon, `@`, `*`
 * or the like in a text. Lines are kept, so that later findings name the right ones.
 */
export function repairFrontMatter(yaml: string): RepairedYaml {
  const lines = yaml.split('\n')
  const keys: string[] = []
  for (let index = 0; index < lines.length; index += 1) {
    const [, key, value] = /^([a-z-]+):[ \t]+(\S.*)$/.exec(lines[index] ?? '') ?? []
    if (key === undefined || value === undefined || !TEXT_KEYS.has(key) || isDeliberate(value)) continue
    const more = continuationLines(lines, index)
    if ('fields' in parseYaml([`${key}: ${value}`, ...more.map((line) => `  ${line}`)].join('\n'))) continue
    lines[index] = `${key}: ${JSON.stringify([value.trim(), ...more].join(' '))}`
    lines.fill('', index + 1, index + 1 + more.length)
    keys.push(key)
  }
  return { yaml: lines.join('\n'), keys }
}

/** Quoted, a block or a standard tag: the author knew YAML, so that the fault is another one. */
function isDeliberate(value: string): boolean {
  return /^(["'|>]|!!)/.test(value)
}

function continuationLines(lines: readonly string[], index: number): string[] {
  const more: string[] = []
  for (let next = index + 1; next < lines.length && /^[ \t]+\S/.test(lines[next] ?? ''); next += 1) {
    more.push((lines[next] ?? '').trim())
  }
  return more
}
