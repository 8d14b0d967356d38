import {
  BASE_PERMISSIONS,
  ERROR_CODES,
  type ErrorCode,
  errorInfo,
  fail,
  KgentError,
  RUN_EVENT_TYPES,
  succeed,
} from '@kgent/contracts'
import { describe, expect, it } from 'vitest'

describe('errors', () => {
  it('retryable is taken from the one table of codes', () => {
    for (const [code, { retryable }] of Object.entries(ERROR_CODES)) {
      expect(errorInfo(code as ErrorCode, 'x').retryable).toBe(retryable)
    }
  })

  it('an ErrorInfo is plain JSON, without empty extras', () => {
    const info = errorInfo('not_found', 'Nothing is there.', { hint: undefined, details: { a: 1 } })
    expect(JSON.parse(JSON.stringify(info))).toEqual(info)
    expect(Object.keys(info)).toEqual(['code', 'message', 'retryable', 'details'])
  })

  it('KgentError is recognised across two installed copies, and nothing else is', () => {
    const other = Object.assign(new Error('x'), {
      [Symbol.for('kgent.error')]: true,
      info: errorInfo('busy', 'x'),
    })
    expect(KgentError.is(new KgentError('config_invalid', 'x'))).toBe(true)
    expect(KgentError.is(other)).toBe(true)
    for (const value of [new Error('x'), null, undefined, 'kgent', {}])
      expect(KgentError.is(value)).toBe(false)
  })

  it('its info says the code and the message, and no stack', () => {
    const error = new KgentError('rule_invalid', 'A rule.', { hint: 'Mend it.' })
    expect(error.info).toEqual({
      code: 'rule_invalid',
      message: 'A rule.',
      retryable: false,
      hint: 'Mend it.',
    })
    expect(error.code).toBe('rule_invalid')
  })

  it('outcomes are a value or an error', () => {
    expect(succeed(1)).toEqual({ ok: true, value: 1 })
    expect(fail('busy', 'Later.')).toEqual({
      ok: false,
      error: { code: 'busy', message: 'Later.', retryable: true },
    })
  })
})

it('names are distinct', () => {
  expect(new Set(BASE_PERMISSIONS).size).toBe(6)
  expect(new Set(RUN_EVENT_TYPES).size).toBe(RUN_EVENT_TYPES.length)
})
