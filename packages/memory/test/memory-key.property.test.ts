import { memoryKey } from '@kgent/memory'
import fc from 'fast-check'
import { expect, it } from 'vitest'

const text = fc.string({ unit: 'grapheme', minLength: 1 })

it('memoryKey does not depend on blanks around and between words', () => {
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^\w+$/), { minLength: 1 }),
      fc.constantFrom(' ', '\n', '\t ', '\u3000'),
      (words, blank) => {
        expect(memoryKey('s', `${blank}${words.join(blank)}${blank}`)).toBe(memoryKey('s', words.join(' ')))
      },
    ),
  )
})

it('memoryKey does not depend on the composed form', () => {
  fc.assert(
    fc.property(text, (content) => {
      const keys = ['NFC', 'NFD', 'NFKC'].map((form) => memoryKey('s', content.normalize(form)))
      expect(new Set(keys).size).toBe(1)
    }),
  )
})

it('memoryKey tells scopes apart', () => {
  fc.assert(
    fc.property(text, text, text, (one, other, content) => {
      fc.pre(one !== other && !`${one}${other}`.includes('\0'))
      expect(memoryKey(one, content)).not.toBe(memoryKey(other, content))
    }),
  )
})

it('memoryKey is stable over releases', () => {
  expect(memoryKey('team', ' Reports  are ﬁne ')).toBe(
    '14b1a78ff6d66798790d3bac172ff38c2ea86bc39d64484bbc2c2d3c5ca86e8e',
  )
})
