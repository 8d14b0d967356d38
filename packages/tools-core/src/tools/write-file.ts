import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { failedResult, okResult } from '../tool-result.ts'
import { expectedHash } from './expected-hash.ts'
import { toolPath } from './tool-path.ts'

export const writeFileTool = defineTool({
  name: 'write_file',
  title: 'Write file',
  description:
    'Create a text file or replace all of its content. Missing folders are created. Give expectedSha256 (from read_file) ' +
    'to be refused when the file has changed since; to change a part of a file use edit_file.',
  inputSchema: z.strictObject({
    path: toolPath('File to write'),
    content: z.string().describe('The whole new content'),
    expectedSha256: expectedHash,
  }),
  permissions: ({ path }) => [{ permission: 'filesystemWrite', path }],
  annotations: { readOnly: false, destructive: true, idempotent: true },
  inputExamples: [{ path: 'deliverables/report.md', content: '# Report\n' }],
  async handler({ path, content, expectedSha256 }, { sandbox, signal }) {
    const written = await sandbox.writeFile(path, content, {
      signal,
      ...(expectedSha256 && { expectedSha256 }),
    })
    if (!written.ok) return failedResult(written.error)
    const { value } = written
    return okResult(`${value.created ? 'Created' : 'Replaced'} ${value.path} (${value.bytes} bytes)`, {
      ...value,
    })
  },
})
