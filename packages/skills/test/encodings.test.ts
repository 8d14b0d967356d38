import { describe, expect, it } from 'vitest'
import { registryOf, skillText } from './fixture.ts'

const text = skillText('enc', 'Zoë 北京\n')
const utf16be = Buffer.from(`\ufeff${text}`, 'utf16le').swap16()

const readable: [string, Buffer][] = [
  ['UTF-8', Buffer.from(text)],
  ['UTF-8 with a mark', Buffer.from(`\ufeff${text}`)],
  ['UTF-16 little endian with a mark', Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['UTF-16 big endian with a mark', utf16be],
  ['CRLF line ends', Buffer.from(text.replaceAll('\n', '\r\n'))],
  ['CR line ends', Buffer.from(text.replaceAll('\n', '\r'))],
]

describe('the decoder', () => {
  for (const [name, bytes] of readable) {
    it(`reads ${name}: no mark and no CR in the text`, async () => {
      const { registry } = await registryOf({ 'skills/enc/SKILL.md': bytes })
      const loaded = await registry.load('enc')
      expect(loaded.ok && loaded.value.body).toBe('Zoë 北京\n')
    })
  }

  const unreadable: [string, Buffer, string][] = [
    ['Latin-1', Buffer.from(text.replaceAll('北京', ''), 'latin1'), 'not valid UTF-8'],
    ['UTF-16 without a mark', Buffer.from(text, 'utf16le'), 'UTF-8'],
    ['half a UTF-16 file', Buffer.from(`\ufeff${text}`, 'utf16le').subarray(0, 31), 'not valid UTF-16LE'],
    ['NUL bytes', Buffer.from(`${text}\0`), 'NUL'],
  ]
  for (const [name, bytes, reason] of unreadable) {
    it(`replaces nothing quietly: ${name} is a problem with its reason`, async () => {
      const { registry } = await registryOf({ 'skills/enc/SKILL.md': bytes })
      const { skills, problems } = await registry.list()
      expect(skills).toEqual([])
      expect(problems).toEqual([{ file: 'skills/enc/SKILL.md', reason: expect.stringContaining(reason) }])
    })
  }
})
