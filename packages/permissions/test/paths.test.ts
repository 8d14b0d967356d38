import { buildEffectivePolicy, escapeGlob, type PermissionRule } from '@kgent/permissions'
import { describe, expect, it } from 'vitest'

function decisionOn(rule: Omit<PermissionRule, 'effect' | 'permission'> & Partial<PermissionRule>) {
  const { check } = buildEffectivePolicy({
    config: { rules: [{ effect: 'deny', permission: 'filesystemRead', ...rule }] },
  })
  return (path: string | undefined, rest: { ignoreCase?: boolean; tool?: string; scope?: string } = {}) =>
    check({ permission: 'filesystemRead', tool: 'read_file', ...rest, ...(path !== undefined && { path }) })
      .decision
}

describe('paths in rules', () => {
  it('without wildcards name a file, or a folder with everything below it', () => {
    const on = decisionOn({ paths: ['inputs/secret'] })
    expect(['inputs/secret', 'inputs/secret/a', 'inputs/secret/.b/c.txt'].map((path) => on(path))).toEqual([
      'deny',
      'deny',
      'deny',
    ])
    expect(
      ['inputs', 'inputs/secrets', 'inputs/secret.txt', 'workspace/inputs/secret'].map((path) => on(path)),
    ).toEqual(['allow', 'allow', 'allow', 'allow'])
  })

  it('treat leading dots, line breaks and other odd characters like any other', () => {
    const on = decisionOn({ paths: ['inputs/**/*.key'] })
    for (const path of [
      'inputs/.a/.key',
      'inputs/a\nb/c.key',
      'inputs/\u2028/x.key',
      'inputs/$^|"\'/(1).key',
      'inputs/a\\b/c.key',
    ]) {
      expect(on(path), JSON.stringify(path)).toBe('deny')
    }
    const literal = decisionOn({ paths: ['inputs/report (1) [a]'.replace(/[[\]]/g, '\\$&')] })
    expect(literal('inputs/report (1) [a]')).toBe('deny')
    expect(literal('inputs/report 1 a')).toBe('allow')
  })

  it('write braces out, nested ones too', () => {
    const on = decisionOn({ paths: ['inputs/{a,b{1,2}/c,}x'] })
    expect(
      ['inputs/ax', 'inputs/b1/cx', 'inputs/b2/cx', 'inputs/x', 'inputs/x/y'].map((path) => on(path)),
    ).toEqual(Array(5).fill('deny'))
    expect(on('inputs/bx')).toBe('allow')
  })

  it('cover a folder that a pattern names as well as what ** stands for below it', () => {
    const on = decisionOn({ paths: ['inputs/team-*/**'] })
    expect(['inputs/team-a', 'inputs/team-a/x/y', 'inputs/team'].map((path) => on(path))).toEqual([
      'deny',
      'deny',
      'allow',
    ])
  })

  it('ignore case for restrictions where the disk does, and stay exact for grants', () => {
    const deny = decisionOn({ paths: ['inputs/Geheim/STRASSE.txt', 'inputs/*.KEY'] })
    expect(deny('INPUTS/geheim/straße.TXT', { ignoreCase: true })).toBe('deny')
    expect(deny('inputs/my.key', { ignoreCase: true })).toBe('deny')
    expect(deny('inputs/my.key')).toBe('allow')
    const { check } = buildEffectivePolicy({
      config: { rules: [{ effect: 'allow', permission: 'crm.read', paths: ['inputs/Open'] }] },
    })
    const ask = (path: string) =>
      check({ permission: 'crm.read', tool: 't', path, ignoreCase: true }).decision
    expect([ask('inputs/Open'), ask('inputs/open')]).toEqual(['allow', 'deny'])
  })

  it('take an accent written as one character or as two for the same in restrictions', () => {
    const on = decisionOn({ paths: ['inputs/r\u00e9sum\u00e9.md', 'inputs/caf\u00e9-*.md'] })
    expect(on('inputs/re\u0301sume\u0301.md')).toBe('deny')
    expect(on('inputs/cafe\u0301-1.md')).toBe('deny')
  })

  it('do not match a request without a path: that one is about the permission as such', () => {
    expect(decisionOn({ paths: ['**'] })(undefined)).toBe('allow')
    expect(decisionOn({ scopes: ['*'] })('inputs/a')).toBe('allow')
    expect(decisionOn({ scopes: ['*'] })('inputs/a', { scope: 'team' })).toBe('deny')
  })

  it('say with ** alone that they mean every path', () => {
    const on = decisionOn({ paths: ['**'] })
    expect([on('inputs'), on('inputs/.a/b\nc')]).toEqual(['deny', 'deny'])
  })

  it('come from names by escaping', () => {
    const name = 'inputs/{odd} [name] (1)!*?\\,+@'
    expect(decisionOn({ paths: [escapeGlob(name)] })(`${name}/below`)).toBe('deny')
  })

  it('are answered at once even for names made to make a matcher try everything', () => {
    const on = decisionOn({ paths: ['**/*a*a*b', '**/a/**/*b*'] })
    expect(on(`inputs/${'a'.repeat(255)}`)).toBe('allow')
    expect(on(`${'a/'.repeat(2_000)}x`)).toBe('allow')
  })
})

describe('tools and scopes in rules', () => {
  it('are exact, or hold * for any run of characters', () => {
    const on = decisionOn({ tools: ['crm_*', '*_file', 'a*b*c', 'exact'] })
    const denied = ['crm_update', 'crm_', 'read_file', 'abc', 'a1b2c', 'abbc', 'exact']
    const others = ['my_crm_update', 'file', 'ac', 'acb', 'ab', 'exactly', 'Exact']
    expect(denied.map((tool) => on('inputs/a', { tool }))).toEqual(denied.map(() => 'deny'))
    expect(others.map((tool) => on('inputs/a', { tool }))).toEqual(others.map(() => 'allow'))
    const overlap = decisionOn({ tools: ['aba*aba'] })
    expect(['aba', 'abaaba', 'abaXaba'].map((tool) => overlap('inputs/a', { tool }))).toEqual([
      'allow',
      'deny',
      'deny',
    ])
  })

  it('know no other special character, so that a scope may hold any', () => {
    const on = decisionOn({ scopes: ['user:42/notes.*', '[team]'] })
    expect(
      ['user:42/notes.a/b', 'user:42/notesXa', '[team]', 't'].map((scope) => on('inputs/a', { scope })),
    ).toEqual(['deny', 'allow', 'deny', 'allow'])
  })
})
