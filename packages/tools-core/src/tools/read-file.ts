import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { failedResult, okResult } from '../tool-result.ts'
import { toolPath } from './tool-path.ts'

export const readFileTool = defineTool({
  name: 'read_file',
  title: 'Read file',
  description:
    'Read a text file, or a window of its lines. Paths look like workspace/notes.md. For a long file, go on with the ' +
    'nextOffset of the answer; search with grep_files first to find the lines that matter.',
  inputSchema: z.strictObject({
    path: toolPath('File to read'),
    offset: z.int().min(1).optional().describe('First line, from 1'),
    limit: z.int().min(1).optional().describe('Number of lines (bounded)'),
  }),
  permissions: ({ path }) => [{ permission: 'filesystemRead', path }],
  annotations: { readOnly: true, idempotent: true },
  inputExamples: [{ path: 'workspace/notes.md' }, { path: 'inputs/app.log', offset: 2001, limit: 200 }],
  // A window is bounded by the sandbox; keeping it as an artifact would only make the agent read it twice.
  maxInlineBytes: Number.POSITIVE_INFINITY,
  async handler({ path, offset, limit }, { sandbox, signal }) {
    const read = await sandbox.readFile(path, { signal, ...(offset && { offset }), ...(limit && { limit }) })
    if (!read.ok) return failedResult(read.error)
    const { value } = read
    const { startLine, endLine, totalLines } = value
    const lines = endLine < startLine || startLine === 0 ? 'no lines' : `lines ${startLine}–${endLine}`
    const more = value.truncated ? ', truncated' : ''
    return okResult(`Read ${value.path}: ${lines} of ${totalLines ?? 'more'}${more}`, { ...value })
  },
})
