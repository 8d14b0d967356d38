import type { JsonObject } from '@kgent/contracts'
import type { DoneCall } from './conversation.ts'
import type { Knowledge } from './knowledge.ts'
import { codeSpan, counted } from './markdown.ts'
import type { SearchAnswer } from './search-answers.ts'

const LEFT_OUT: Record<string, string> = {
  denied: 'hidden by a rule',
  unreadable: 'unreadable',
  binary: 'binary',
  special: 'no regular file',
  link: 'link, not followed',
  hardLink: 'file with more than one name',
  tooLarge: 'too large',
  hidden: 'temporary',
  ignored: 'named by an ignore file',
}

/** What was refused, cut short or left out, so that silence is not taken for “all is well”. */
export function gapsText(known: Knowledge): string {
  const remarks = [
    ...listingRemarks(known),
    ...leftOutRemarks(known),
    ...searchRemarks(known),
    ...unshownRemarks(known),
    ...known.calls.flatMap(refusalRemark),
  ]
  return remarks.length === 0 ? 'Nothing was left out.' : remarks.map((remark) => `- ${remark}`).join('\n')
}

function listingRemarks({ folder }: Knowledge): string[] {
  const { isCut, files, skipped } = folder
  return [
    ...(isCut
      ? [
          `The listing stopped after ${counted(files.length, 'file')}: more exist. The searches went on beyond it.`,
        ]
      : []),
    ...(skipped.length > 0
      ? [`Not searched, because others or tools wrote them: ${skipped.map(codeSpan).join(', ')}.`]
      : []),
  ]
}

/** The same entries are left out of every search, so the largest count of each reason is the one that holds. */
function leftOutRemarks({ folder, searches }: Knowledge): string[] {
  const most: Record<string, number> = {}
  for (const counts of [folder.leftOut, ...searches.map(({ leftOut }) => leftOut)]) {
    for (const [reason, count] of Object.entries(counts))
      most[reason] = Math.max(most[reason] ?? 0, Number(count))
  }
  const parts = Object.entries(most)
    .filter(([, count]) => count > 0)
    .map(([reason, count]) => `${count.toLocaleString('en-GB')} × ${LEFT_OUT[reason] ?? reason}`)
  return parts.length === 0 ? [] : [`Left out of the listings and searches: ${parts.join(', ')}.`]
}

function searchRemarks({ searches }: Knowledge): string[] {
  const long = searches.some(({ hasLongLines }) => hasLongLines)
  return [
    ...searches.flatMap(searchRemark),
    ...(long ? ['Very long lines were searched only at their beginning.'] : []),
  ]
}

function searchRemark({ search, failure, isCut, matches, matchCount, limits }: SearchAnswer): string[] {
  if (failure !== null) return [`The search for ${kindOf(search.kind)} failed: ${codeSpan(failure)}`]
  if (!isCut) return []
  const why = limits.length > 0 ? ` (limit on ${limits.join(', ')})` : ''
  const total = matchCount > matches.length ? ` of at least ${matchCount.toLocaleString('en-GB')}` : ''
  const taken = `${counted(matches.length, 'match', 'matches')}${total} were taken up`
  return [`The search for ${kindOf(search.kind)} was cut short${why}: ${taken}; more may exist.`]
}

function kindOf(kind: string): string {
  return `“${kind}”`
}

/** Findings that the form has no place for. */
function unshownRemarks({ form, findings }: Knowledge): string[] {
  const unshown = findings.filter(({ section }) => !form.sections.some(({ id }) => id === section))
  if (unshown.length === 0) return []
  const kinds = new Map<string, number>()
  for (const { kind } of unshown) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  const list = [...kinds].map(([kind, count]) => `${count} × ${kind}`).join(', ')
  return [`Found, but the form has no section for it: ${list}.`]
}

function refusalRemark({ tool, input, failure, summary }: DoneCall): string[] {
  if (failure === null) return []
  return [
    `\`${tool}\`${target(input)} ${isRefusal(failure) ? 'was refused' : 'failed'} (${failure}): ${codeSpan(summary)}`,
  ]
}

function target(input: JsonObject): string {
  return typeof input.path === 'string' ? ` on ${codeSpan(input.path)}` : ''
}

function isRefusal(code: string): boolean {
  return /^(permission_|approval_|path_outside|read_only|memory_disabled|memory_scope)/.test(code)
}
