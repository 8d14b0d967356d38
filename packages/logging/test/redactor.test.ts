import { createRedactor, scanForSecrets } from '@kgent/logging'
import { describe, expect, it } from 'vitest'

const SAMPLES: Record<string, string> = {
  'Bearer header': 'Bearer AAAA1111',
  'lower case bearer': 'authorization bearer a1b2c3d4e5',
  'Basic header': 'Basic dXNlcjpwYXNzd29yZA==',
  JWT: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
  'password in a URL': 'postgres://app:s3cr3t-pw@db.example.com/main',
  'token in a URL': 'https://0123456789abcdef0123@example.com/repo.git',
  'signature parameter': 'https://example.com/file?sig=abcdef123456&x=1',
  'AWS key id': 'AKIAIOSFODNN7EXAMPLE',
  'GitHub token': 'ghp_0123456789abcdefghijABCDEFGHIJ012345',
  'GitHub fine-grained token': 'github_pat_11ABCDEFG0abcdefghijkl_mnopqrstuvwxyz',
  'GitLab token': 'glpat-abcdefghij0123456789',
  'Slack token': 'xoxb-123456789012-abcdefghijkl',
  'Slack webhook': 'https://hooks.slack.com/services/T0000/B0000/XXXXabcd',
  'OpenAI key': 'sk-proj-abcdefghijklmnop0123',
  'Anthropic key': 'sk-ant-api03-abcdefghijklmnop',
  'Google key': `AIza${'Sy0123456789abcdefghijklmnopqrstuvw'}`,
  'Google access token': 'ya29.a0AfH6SMBx0123456789abc',
  'Stripe key': 'sk_live_0123456789abcdefghij',
  'npm token': `npm_${'0123456789abcdefghijABCDEFGHIJ012345'}`,
  'SendGrid key': 'SG.0123456789abcdefghij.0123456789abcdefghij0123456789',
  'Hugging Face token': 'hf_abcdefghijABCDEFGHIJ0123',
  'environment variable': 'DB_PASSWORD=hunter2',
  'quoted assignment': "api_key = 'abc123def'",
  'JSON in text': '{"clientSecret": "BBBB2222"}',
  'JSON in JSON': '{\\"apiKey\\":\\"BBBB2222\\"}',
  'header line': 'X-Api-Key: abc123def',
  'cookie line': 'Cookie: id=abc123; theme=dark',
  'private key': '-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n-----END RSA PRIVATE KEY-----',
  'cut private key': '-----BEGIN PRIVATE KEY-----\nMIIEpAIBAAKCAQEA',
}

describe('createRedactor', () => {
  const redactor = createRedactor()

  for (const [what, secret] of Object.entries(SAMPLES)) {
    it(`masks by form: ${what}`, () => {
      const text = redactor.text(`before ${secret}`)
      expect(text).toContain('before ')
      expect(text).toContain('[redacted]')
      const value = secret.split(/[\s=:@/?&.]+/).findLast((part) => part.length >= 6) ?? secret
      if (!/example|END/.test(value)) expect(text).not.toContain(value)
      expect(redactor.suspects(JSON.stringify({ text: `before ${secret}` }))).toBe(true)
    })
  }

  it('leaves ordinary text alone', () => {
    for (const text of [
      'Read workspace/notes about tokens.txt, lines 1 to 20 of 300 (tokenCount: 12).',
      'The field "password" is required: give a string.',
      'input.apiKey: expected string, received number',
      'Bearer token required; basic authentication is not enough.',
      'See https://example.com/a?page=2 and mail to ada@example.com.',
      'git@github.com:kgent/kgent.git',
      '3 of 4 matches in 12 files; secretary, tokenize, sk-learn, desk-top',
      'sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    ]) {
      expect(redactor.text(text)).toBe(text)
    }
  })

  it('log-05: masks by key at any depth, by shape in texts, and in errors too', () => {
    const masked = createRedactor().value({
      headers: { Authorization: 'Bearer AAAA1111' },
      list: [{ apiKey: 'BBBB2222' }],
      url: 'https://u:CCCC3333@h/',
      path: 'notes about tokens.txt',
      tokenCount: 12,
      error: 'the host said: Bearer AAAA1111 is not known',
    })
    expect(masked).toEqual({
      headers: { Authorization: '[redacted]' },
      list: [{ apiKey: '[redacted]' }],
      url: 'https://u:[redacted]@h/',
      path: 'notes about tokens.txt',
      tokenCount: 12,
      error: 'the host said: Bearer [redacted] is not known',
    })
  })

  it('masks the keys it was told about, however they are spelt, and nested values whole', () => {
    const own = createRedactor({ keys: ['tax-number', 'ssn'] })
    const value = {
      taxNumber: 1,
      TAX_NUMBER: [1, 2],
      person: { SSN: { a: 'b' } },
      ssnCount: 3,
      empty: { ssn: null },
    }
    expect(own.value(value)).toEqual({
      taxNumber: '[redacted]',
      TAX_NUMBER: '[redacted]',
      person: { SSN: '[redacted]' },
      ssnCount: 3,
      empty: { ssn: null },
    })
    expect(own.suspects(JSON.stringify({ 'Tax Number': 1 }))).toBe(true)
    expect(own.suspects(JSON.stringify({ name: 1 }))).toBe(false)
  })

  it('masks exact values, also inside JSON, URLs and Base64, in keys too', () => {
    const secret = 'pä"ss wörd/+&1'
    const own = createRedactor({ secrets: [secret, '', 'abc'] })
    const spellings = [
      secret,
      JSON.stringify({ text: secret }),
      JSON.stringify(JSON.stringify({ text: secret })),
      `https://h/?q=${encodeURIComponent(secret)}`,
      `q=${new URLSearchParams({ secret })}`.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
      ...['', 'u', 'us', 'use', 'user:'].flatMap((before) =>
        (['base64', 'base64url'] as const).map((form) =>
          Buffer.from(`${before}${secret}, and more`).toString(form),
        ),
      ),
    ]
    for (const text of spellings) {
      expect(own.text(text)).toContain('[redacted]')
      expect(own.suspects(JSON.stringify({ text }))).toBe(true)
    }
    expect(own.value({ [secret]: [secret] })).toEqual({ '[redacted]': ['[redacted]'] })
    expect(own.text('abc')).toBe('abc')
  })

  it('masks a secret of several lines also on one line, line by line, and without the white space around it', () => {
    const secret = 'first line 0123456789\r\nsecond line 0123456789\n'
    const own = createRedactor({ secrets: [secret, 'with-newline\n'] })
    for (const text of [secret, secret.trim(), 'first line 0123456789 second line 0123456789']) {
      expect(own.text(`say ${text} now`)).toMatch(/^say \[redacted\]\s* now$/)
    }
    expect(own.text('at second line 0123456789: oops')).toBe('at [redacted]: oops')
    expect(own.text('with-newline')).toBe('[redacted]')
  })

  it('stays linear on hostile text', () => {
    const hostile = [
      'eyJ-',
      'sk-',
      '://a:',
      'password=',
      'Bearer ',
      '-----BEGIN PRIVATE KEY-----',
      'token: ',
      '"secret":"\\',
      'a_',
    ]
    for (const piece of hostile) expect(createRedactor().text(piece.repeat(20_000)).length).toBeGreaterThan(0)
  })
})

describe('scanForSecrets', () => {
  it('names the kinds that a text seems to hold', async () => {
    expect(await scanForSecrets('The report is due on Monday.')).toEqual([])
    expect(await scanForSecrets(`push with ${SAMPLES['GitHub token']}`)).toContain('github-token')
    expect(await scanForSecrets(`${SAMPLES.JWT} ${SAMPLES['environment variable']}`)).toEqual([
      'assignment',
      'jwt',
    ])
  })

  it('knows more forms than the redactor', async () => {
    const linear = `lin_api_${'a1B2c3D4e5'.repeat(4)}`
    const found = await scanForSecrets(
      `https://shop.example ${linear} shpat_0123456789abcdef0123456789abcdef`,
    )
    expect(found.length).toBeGreaterThan(0)
  })
})
