import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { failedResult, okResult } from '../tool-result.ts'
import { expectedHash } from './expected-hash.ts'
import { toolPath } from './tool-path.ts'

const edit = z.strictObject({
  oldText: z
    .string()
    .min(1, 'must not be empty')
    .describe('Text to replace, exactly as it stands in the file'),
  newText: z.string().describe('Text to put in its place'),
  replaceAll: z
    .boolean()
    .optional()
    .describe('Replace every occurrence; otherwise it must occur exactly once'),
})

export const editFileTool = defineTool({
  name: 'edit_file',
  title: 'Edit file',
  description:
    'Replace exact pieces of a text file. Each oldText must occur exactly once unless replaceAll is true; either all edits ' +
    'are made or none. Line ends are kept. The answer holds a unified diff.',
  inputSchema: z.strictObject({
    path: toolPath('File to edit'),
    edits: z.array(edit).min(1).max(100).describe('Edits, made in this order'),
    expectedSha256: expectedHash,
  }),
  permissions: ({ path }) => [
    { permission: 'filesystemRead', path },
    { permission: 'filesystemWrite', path },
  ],
  annotations: { readOnly: false, destructive: true, idempotent: false },
  inputExamples: [{ path: 'workspace/notes.md', edits: [{ oldText: 'draft', newText: 'final' }] }],
  async handler({ path, edits, expectedSha256 }, { sandbox, signal }) {
    const plain = edits.map(({ oldText, newText, replaceAll = false }) => ({ oldText, newText, replaceAll }))
    const edited = await sandbox.editFile(path, plain, { signal, ...(expectedSha256 && { expectedSha256 }) })
    if (!edited.ok) return failedResult(edited.error)
    const { value } = edited
    return okResult(
      `Edited ${value.path}: ${value.replacements} replacement${value.replacements === 1 ? '' : 's'}`,
      { ...value },
    )
  },
})
