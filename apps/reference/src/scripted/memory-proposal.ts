import type { JsonObject } from '@kgent/contracts'
import type { Knowledge } from './knowledge.ts'
import { counted } from './markdown.ts'
import { maskSecrets } from './mask-secrets.ts'
import { shapeOf } from './merge-repeats.ts'

/** One short fact that would help the next time: what was most pressing, or that nothing was. */
export function memoryProposal({ name, findings, folder }: Knowledge): JsonObject {
  const [first] = findings
  if (folder.failure !== null || (folder.files.length === 0 && !folder.isEmpty))
    return proposal(`Nothing in ${name} could be looked at when it was last tried.`)
  if (folder.isEmpty) return proposal(`The folder ${name} was empty when it was last looked through.`)
  if (!first)
    return proposal(
      `Nothing was found in ${counted(folder.files.length, 'file')} of ${name} when they were last searched.`,
    )
  const what =
    first.text === null ? first.kind : `${first.kind}: ${maskSecrets(shapeOf(first.text)).slice(0, 160)}`
  const times = first.repeats.length > 0 ? `, ${first.repeats.length + 1} times` : ''
  return proposal(`In ${name}, look first at ${first.path}, line ${first.line} (${what}${times}).`)
}

function proposal(content: string): JsonObject {
  return { content, tags: ['findings-report'] }
}
