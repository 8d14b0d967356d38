import { parseYaml, type YamlField } from './parse-yaml.ts'
import { repairFrontMatter } from './repair-front-matter.ts'
import { errorAt, remarkAt, type SkillFinding } from './skill-finding.ts'

/** The fields of a front matter by key, with lines of the file. */
export interface FrontMatter {
  fields: Map<string, YamlField>
  findings: SkillFinding[]
}

/** Parses front matter that begins at `line` of its file; in lenient mode after mending unquoted texts. */
export function readFrontMatter(yaml: string, at: { line: number; strict: boolean }): FrontMatter {
  const shift = at.line - 1
  const first = parseYaml(yaml)
  if ('fields' in first) return { fields: byKey(first.fields, shift), findings: [] }
  const where = first.fault.line === null ? at.line : first.fault.line + shift
  const refusal = errorAt(where, `The front matter is not YAML that can be read: ${first.fault.message}`)
  if (at.strict) return { fields: new Map(), findings: [refusal] }
  const repaired = repairFrontMatter(yaml)
  const second = parseYaml(repaired.yaml)
  if (repaired.keys.length === 0 || 'fault' in second) return { fields: new Map(), findings: [refusal] }
  const keys = repaired.keys.join(', ')
  const mended = `Put the text of ${keys} in quotes; it was read as text. (YAML: ${first.fault.message})`
  return { fields: byKey(second.fields, shift), findings: [remarkAt(where, mended)] }
}

function byKey(fields: readonly YamlField[], shift: number): Map<string, YamlField> {
  return new Map(fields.map((field) => [field.key, { ...field, line: field.line + shift }]))
}
