import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { failedResult, okResult } from '../tool-result.ts'
import { leftOutText } from './left-out.ts'
import { toolPath } from './tool-path.ts'

const DEFAULT_FOLDER = 'workspace'

export const listFilesTool = defineTool({
  name: 'list_files',
  title: 'List files',
  description:
    'List a folder, sorted by path, with type, size and time of change. The answer names the folders (mounts) that exist. ' +
    'Entries that a rule hides are left out and counted.',
  inputSchema: z.strictObject({
    path: toolPath('Folder to list; default workspace').optional(),
    recursive: z.boolean().optional().describe('Also list all folders below'),
    glob: z.string().min(1).optional().describe('Only entries that match, e.g. *.ts or src/**/*.md'),
    limit: z.int().min(1).optional().describe('Number of entries (bounded)'),
  }),
  permissions: ({ path }) => [{ permission: 'filesystemRead', path: path ?? DEFAULT_FOLDER }],
  annotations: { readOnly: true, idempotent: true },
  inputExamples: [{ path: 'inputs', recursive: true, glob: '*.log' }],
  async handler({ path = DEFAULT_FOLDER, recursive, glob, limit }, { sandbox, signal }) {
    const listed = await sandbox.listFiles(path, {
      signal,
      ...(recursive !== undefined && { recursive }),
      ...(glob !== undefined && { glob }),
      ...(limit !== undefined && { limit }),
    })
    if (!listed.ok) return failedResult(listed.error)
    const { value } = listed
    const mounts = sandbox.mounts.map(({ name, mode }) => ({ name, mode }))
    const count = `${value.entries.length} ${value.entries.length === 1 ? 'entry' : 'entries'}`
    const more = value.truncated ? ', more exist' : ''
    return okResult(`${value.path}: ${count}${more}${leftOutText(value.leftOut)}`, { ...value, mounts })
  },
})
