import type { GrepResult } from '@kgent/contracts'
import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { failedResult, okResult } from '../tool-result.ts'
import { leftOutText } from './left-out.ts'
import { toolPath } from './tool-path.ts'

const DEFAULT_FOLDER = 'workspace'
const MAX_PATTERN_CHARS = 4_096

export const grepFilesTool = defineTool({
  name: 'grep_files',
  title: 'Search in files',
  description:
    'Search file contents with a regular expression (RE2 syntax: no back-references, no look-around), or with plain text ' +
    'when literal is true. The answer gives path, line, column and the line. Bounded: when truncated is true, narrow the search.',
  inputSchema: z.strictObject({
    pattern: z.string().min(1, 'must not be empty').max(MAX_PATTERN_CHARS).describe('What to search for'),
    path: toolPath('Folder or file to search; default workspace').optional(),
    glob: z.string().min(1).optional().describe('Only files that match, e.g. *.ts'),
    literal: z.boolean().optional().describe('Take the pattern as plain text'),
    ignoreCase: z.boolean().optional(),
    context: z.int().min(0).max(20).optional().describe('Lines of context before and after each match'),
    limit: z.int().min(1).optional().describe('Number of matches (bounded)'),
    output: z
      .enum(['matches', 'files', 'count'])
      .optional()
      .describe('Lines, only file names, or counts a file'),
  }),
  permissions: ({ path }) => [{ permission: 'filesystemRead', path: path ?? DEFAULT_FOLDER }],
  annotations: { readOnly: true, idempotent: true },
  inputExamples: [{ pattern: 'TODO|FIXME', path: 'inputs', glob: '*.ts' }],
  async handler({ pattern, path = DEFAULT_FOLDER, ...options }, { sandbox, signal, progress }) {
    const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
    const found = await sandbox.grepFiles(pattern, {
      path,
      signal,
      ...given,
      onProgress: ({ filesScanned, matches }) =>
        progress({
          message: `${filesScanned} files searched, ${matches} matches`,
          data: { filesScanned, matches },
        }),
    })
    if (!found.ok) return failedResult(found.error)
    return okResult(summaryOf(found.value), { ...found.value })
  },
})

function summaryOf(result: GrepResult): string {
  const matches = `${result.matchCount}${result.truncated ? ' or more' : ''} ${result.matchCount === 1 ? 'match' : 'matches'}`
  const stopped = result.limitsHit.length > 0 ? `; stopped by: ${result.limitsHit.join(', ')}` : ''
  return `${matches} in ${result.filesScanned} ${result.filesScanned === 1 ? 'file' : 'files'} searched${stopped}${leftOutText(result.leftOut)}`
}
