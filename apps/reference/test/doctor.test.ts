import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { folder, kgent } from './fixture.ts'

async function stateOf(what: string, options: Parameters<typeof kgent>[1] = {}, args: string[] = []) {
  const ended = await kgent(['doctor', '--json', ...args], options)
  const check = ended.json().find((one: { what: string }) => one.what === what)
  return { code: ended.code, ...check }
}

describe('doctor', () => {
  it('says what holds here, and leaves nothing behind', async () => {
    const cwd = folder()
    const ended = await kgent(['doctor'], { cwd })
    expect(ended.code).toBe(0)
    expect(ended.out).toMatch(/^Node +ok +\d+\.\d+\.\d+$/m)
    expect(ended.out).toMatch(/^sandbox +(ok +race-free|weaker +checked)/m)
    expect(ended.out).toMatch(/^model +weaker +only the scripted planner/m)
    expect(readdirSync(cwd)).toEqual([])
  })

  it('names a runs folder that cannot be written', async () => {
    const cwd = folder({ file: '' })
    const answer = await stateOf('runs folder', { cwd }, ['--runs', 'file/runs'])
    expect(answer).toMatchObject({ code: 1, state: 'missing' })
  })

  it('names a config that is not valid', async () => {
    const cwd = folder({ 'kgent.config.json': '{ "permisions": {} }' })
    expect(await stateOf('config', { cwd })).toMatchObject({ code: 1, state: 'missing' })
  })

  it('asks the endpoint whether it answers and takes the key', async () => {
    const server = createServer((request, response) => {
      response.statusCode = request.headers.authorization === 'Bearer good' ? 200 : 401
      response.end('{}')
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await new Promise((resolve) => server.once('listening', resolve))
    const KGENT_BASE_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    const withKey = (KGENT_API_KEY: string) => ({
      environment: { KGENT_BASE_URL, KGENT_MODEL: 'm', KGENT_API_KEY },
    })
    expect(await stateOf('model', withKey('good'))).toMatchObject({ code: 0, state: 'ok' })
    const refused = await stateOf('model', withKey('bad'))
    expect(refused).toMatchObject({ code: 1, state: 'missing', says: expect.stringContaining('401') })
    expect(JSON.stringify(refused)).not.toContain('bad"')
  })
})
