import { type Document, isMap, isScalar, LineCounter, type Pair, parseDocument, visit } from 'yaml'
import { yamlDepth } from './yaml-depth.ts'

/** What stands behind a key: text, a list or a map of text; numbers and dates stay as they were written. */
export type YamlValue = string | YamlValue[] | Map<string, YamlValue>

export interface YamlField {
  key: string
  value: YamlValue
  /** Line within the parsed text, from 1. */
  line: number
  /** Text after ` #`, which YAML drops; null when there is none. */
  comment: string | null
}

export interface YamlFault {
  message: string
  line: number | null
}

export type ParsedYaml = { fields: YamlField[] } | { fault: YamlFault }

const MAX_ALIASES = 20
// Far above what a skill needs, far below what would exhaust the stack of the composing step.
const MAX_NESTING = 32
const PLAIN_TAGS = /^(!|tag:yaml\.org,2002:(str|map|seq))$/

/**
 * Parses front matter as data. Every scalar is text (the failsafe schema), so `1.0` stays `1.0`; tags that ask for
 * anything else, repeated keys and many aliases are faults. Nothing can run, and no key can reach a prototype.
 */
export function parseYaml(text: string): ParsedYaml {
  if (yamlDepth(text) > MAX_NESTING) return fault('The front matter is nested too deeply.')
  const lines = new LineCounter()
  const document = parseDocument(text, {
    schema: 'failsafe',
    stringKeys: true,
    uniqueKeys: true,
    lineCounter: lines,
    // Not `silent`: that would also hide a second document.
    logLevel: 'error',
  })
  const [error] = document.errors
  if (error) return fault(firstLine(error.message), error.linePos?.[0].line ?? null)
  const foreign = foreignTag(document)
  if (foreign) return fault(`The tag ${foreign.tag} asks for more than text.`, lines.linePos(foreign.at).line)
  return fieldsOf(document, lines)
}

function fieldsOf(document: Document.Parsed, lines: LineCounter): ParsedYaml {
  const { contents } = document
  if (!isMap(contents)) return fault('The front matter is not a list of keys and values.')
  const fields: YamlField[] = []
  for (const pair of contents.items as Pair[]) {
    const key = isScalar(pair.key) ? pair.key : null
    if (!key) continue
    try {
      fields.push({
        key: String(key.value),
        value: plain(pair, document),
        line: lines.linePos(key.range?.[0] ?? 0).line,
        comment: isScalar(pair.value) ? (pair.value.comment ?? null) : null,
      })
    } catch {
      return fault('Too many aliases refer to each other.', lines.linePos(key.range?.[0] ?? 0).line)
    }
  }
  return { fields }
}

function plain(pair: Pair, document: Document.Parsed): YamlValue {
  const node = pair.value as { toJS(document: Document.Parsed, options: object): unknown } | null
  const value = node?.toJS(document, { mapAsMap: true, maxAliasCount: MAX_ALIASES })
  return (value ?? '') as YamlValue
}

function foreignTag(document: Document.Parsed): { tag: string; at: number } | null {
  let found: { tag: string; at: number } | null = null
  visit(document, {
    Node(_key, node) {
      const tag = 'tag' in node ? node.tag : undefined
      if (tag === undefined || PLAIN_TAGS.test(tag)) return undefined
      found = { tag: tag.replace('tag:yaml.org,2002:', '!!').slice(0, 60), at: node.range?.[0] ?? 0 }
      return visit.BREAK
    },
  })
  return found
}

function fault(message: string, line: number | null = null): ParsedYaml {
  return { fault: { message, line } }
}

/** The library's sentence without the place and picture that follow it. */
function firstLine(message: string): string {
  const [line = ''] = message.split('\n', 1)
  const sentence = line.replace(/ at line \d+, column \d+:?$/, '').replace(/[.:]?$/, '.')
  return sentence.length > 300 ? `${sentence.slice(0, 299)}…` : sentence
}
