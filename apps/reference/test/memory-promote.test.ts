import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createRun } from '@kgent/runtime'
import { expect, it } from 'vitest'
import { folder, kgent } from './fixture.ts'

it('what a person accepted is shown with its origin and promoted once; agents cannot reach any of it', async () => {
  const sent: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    sent.push(body)
    response.writeHead(201, { 'content-type': 'application/json' }).end('{"id":"m1"}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const config = join(
    folder({ 'c.json': JSON.stringify({ memory: { external: { url: `http://127.0.0.1:${port}` } } }) }),
    'c.json',
  )
  const runs = folder()
  const run = await createRun({ runsDir: runs, runId: 'r1', actor: { id: 'ada' } })
  await run.call('write_memory', { content: 'Reports are in English.' })
  expect(run.tools.filter(({ name }) => /accept|promote|review|reject/.test(name))).toEqual([])
  await run.close()
  const [group] = (await kgent(['memory', 'list', '--runs', runs, '--json'])).json().groups
  expect((await kgent(['memory', 'show', group.key, '--runs', runs])).out).toMatch(
    /proposed .+ in r1 by ada with write_memory/,
  )
  expect((await kgent(['memory', 'promote', '--runs', runs])).code).toBe(2)
  await kgent(['memory', 'accept', group.key, '--runs', runs])
  for (const stored of ['1 stored', '0 stored']) {
    const { out, code } = await kgent(['memory', 'promote', '--runs', runs, '--config', config])
    expect([code, out]).toEqual([0, expect.stringContaining(stored)])
  }
  expect(sent).toHaveLength(1)
  server.close()
})
