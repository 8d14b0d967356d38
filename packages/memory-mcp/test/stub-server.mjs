// A memory server of the tests' own, with a fault that its argument names. Stores in the file that is its second argument.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { z } from 'zod'

const [fault = '', file = ''] = process.argv.slice(2)
const stored = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [])
const json = (/** @type {unknown} */ value) => ({
  content: [{ type: /** @type {const} */ ('text'), text: JSON.stringify(value) }],
})
const never = () => new Promise(() => {})

if (fault === 'does not start') process.exit(1)
if (fault === 'talks nonsense') process.stdout.write('Listening …\n{"not": "jsonrpc"}\n')

const server = new McpServer({ name: 'stub', version: '1' })
server.registerTool(
  'remember',
  { inputSchema: { text: z.string(), user: z.string(), labels: z.array(z.string()), note: z.string() } },
  async ({ text, user, labels, note }) => {
    if (fault === 'is silent before storing') return await never()
    if (fault === 'refuses') throw new Error(`disk full at ${file}`)
    appendFileSync(
      file,
      `${JSON.stringify({ memory: text, user_id: user, labels, note, id: stored().length + 1 })}\n`,
    )
    if (fault === 'is silent after storing') return await never()
    if (fault === 'ends after storing') process.exit(1)
    return json({ result: { id: stored().length } })
  },
)
if (fault !== 'lacks a tool') {
  server.registerTool('search', { inputSchema: { q: z.string(), top: z.number() } }, async ({ q, top }) => {
    if (fault === 'is silent when searched') return await never()
    if (fault === 'ends when searched') process.exit(1)
    if (fault === 'refuses') throw new Error(`cannot read ${file}`)
    if (fault === 'answers in prose')
      return { content: [{ type: /** @type {const} */ ('text'), text: 'No memories found.' }] }
    if (fault === 'answers with other items') return json({ results: [{ text: 'no such field' }] })
    const items = stored().map((line) => JSON.parse(line))
    return json({ results: items.filter(({ memory }) => memory.includes(q)).slice(0, top) })
  })
}
await server.connect(new StdioServerTransport())
