import type { SkipCounts } from '@kgent/contracts'

const REASONS: Record<keyof SkipCounts, string> = {
  denied: 'by a rule',
  unreadable: 'unreadable',
  binary: 'binary',
  special: 'no regular file',
  link: 'link',
  hardLink: 'more than one name',
  tooLarge: 'too large',
  hidden: 'temporary',
  ignored: 'by an ignore file',
}

/** `; left out: 2 by a rule, 1 binary`, or nothing. */
export function leftOutText(counts: SkipCounts): string {
  const parts = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([reason, count]) => `${count} ${REASONS[reason as keyof SkipCounts] ?? reason}`)
  return parts.length === 0 ? '' : `; left out: ${parts.join(', ')}`
}
