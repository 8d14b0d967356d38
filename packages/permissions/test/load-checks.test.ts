import {
  buildEffectivePolicy,
  findDeadRules,
  findPolicyProblems,
  KgentError,
  type KnownTool,
  type PermissionRule,
  type PolicyLayers,
  validateRules,
} from '@kgent/permissions'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const sandbox = {
  mounts: [
    { name: 'workspace', mode: 'rw' as const, ignoresCase: false },
    { name: 'inputs', mode: 'ro' as const, ignoresCase: false },
    { name: 'skills/tidy', mode: 'ro' as const, ignoresCase: false },
  ],
}
const tools = [
  { name: 'read_file', permissions: ['filesystemRead'] },
  { name: 'crm_update', permissions: ['crm.write'] },
]

/** The message of the first problem; fails when there is none. */
function refusal(layers: unknown): string {
  try {
    buildEffectivePolicy(layers as PolicyLayers)
  } catch (thrown) {
    if (KgentError.is(thrown)) {
      expect(thrown.code).toBe('rule_invalid')
      return thrown.message
    }
    throw thrown
  }
  throw new Error(`was built: ${JSON.stringify(layers)}`)
}

function refusedRule(rule: object, rest: PolicyLayers = {}): string {
  const whole = { effect: 'deny', permission: 'filesystemRead', ...rule } as PermissionRule
  return refusal({ ...rest, config: { rules: [{ effect: 'allow', permission: 'network' }, whole] } })
}

describe('a rule that does not parse stops the start with its place', () => {
  const place = 'config.permissions.rules[1]'

  it.each([
    ['', 'paths[0]', 'a path is needed'],
    ['/inputs', 'paths[0]', 'not with /'],
    ['inputs/', 'paths[0]', 'leave the / at the end away'],
    ['inputs//a', 'paths[0]', 'a name is missing'],
    ['inputs/../a', 'paths[0]', '.. stands in no resolved path'],
    ['./inputs', 'paths[0]', '. stands in no resolved path'],
    ['!inputs', 'paths[0]', 'cannot be negated'],
    ['inputs/!(a)', 'paths[0]', '!(…) is not supported'],
    ['inputs/@(a|b)', 'paths[0]', '@(…) is not supported'],
    ['inputs/[abc', 'paths[0]', '[…] must be closed'],
    ['inputs/a]', 'paths[0]', 'a ] closes nothing'],
    ['inputs/[z-a]', 'paths[0]', 'does not ascend'],
    ['inputs/[[:alpha:]]', 'paths[0]', '[…] must be closed'],
    ['inputs/[é]', 'paths[0]', '[…] must be closed'],
    ['inputs/{a,b', 'paths[0]', 'a { is not closed'],
    ['inputs/a}', 'paths[0]', 'a } closes nothing'],
    ['inputs/{a}', 'paths[0]', 'braces list names between commas'],
    ['inputs/{1..10}', 'paths[0]', 'ranges such as {1..9} are not supported'],
    ['inputs\\secret', 'paths[0]', 'folders are parted by /'],
    ['inputs/a\\', 'paths[0]', 'folders are parted by /'],
    ['inputs/secret**', 'paths[0]', '** stands alone'],
    ['inputs/***', 'paths[0]', '** stands alone'],
    ['inputs/a\0b', 'paths[0]', 'NUL'],
    ['inputs/*a*b*c*', 'paths[0]', 'too many wildcards'],
    ['**/a/**/b/**/c', 'paths[0]', 'too many wildcards'],
    [`inputs/${'{a,b}'.repeat(7)}`, 'paths[0]', 'more than 100 globs'],
    [`inputs/${'a'.repeat(1_000)}`, 'paths[0]', 'longer than 1000 characters'],
  ])('glob %j', (glob, where, message) => {
    const text = refusedRule({ paths: [glob] })
    expect(text).toContain(`${place}.${where}: `)
    expect(text).toContain(message)
  })

  it.each([
    [{ paths: null }, 'paths: null says nothing'],
    [{ tools: null }, 'tools: null says nothing'],
    [{ scopes: null }, 'scopes: null says nothing'],
    [{ paths: [] }, 'paths: [] holds nowhere'],
    [{ tools: [] }, 'tools: [] holds nowhere'],
    [{ paths: 'inputs' }, 'paths: a list of texts is needed'],
    [{ paths: ['inputs', 5] }, 'paths[1]: a text is needed'],
    [{ tools: [''] }, 'tools[0]: the text is empty'],
    [{ effect: 'forbid' }, 'effect: say allow, ask or deny'],
    [{ effect: null }, 'effect: say allow, ask or deny'],
    [{ permission: null }, 'permission: name a permission'],
    [
      { permission: 'filesystem_write' },
      'permission: there is no permission filesystem_write; write filesystemWrite',
    ],
    [{ permission: 'crm.*' }, 'permission: only * itself'],
    [{ id: '' }, 'id: the text is empty'],
    [{ reason: null }, 'reason: a text is needed'],
    [{ path: ['inputs'] }, 'path: there is no such key'],
  ])('%j', (part, message) => {
    expect(refusedRule(part)).toContain(`${place}.${message}`)
  })

  it('names the rule itself where it is no rule', () => {
    for (const rule of [null, 'deny', 5, []]) {
      expect(refusal({ config: { rules: [rule] } })).toContain(
        'config.permissions.rules[0]: a rule is an object',
      )
    }
    expect(refusal({ config: { rules: {} } })).toContain(
      'config.permissions.rules: a list of rules is needed',
    )
  })

  it('lists every problem, so that a person can mend them in one go', () => {
    const layers: PolicyLayers = {
      config: {
        source: 'kgent.config.json: permissions',
        rules: [
          { effect: 'deny', permission: '*', paths: ['/a', 'b', '!c'] },
          { effect: 'ask', permission: '', tools: [] },
        ],
      },
    }
    expect(findPolicyProblems(layers).map(({ place: at }) => at)).toEqual([
      'kgent.config.json: permissions.rules[0].paths[0]',
      'kgent.config.json: permissions.rules[0].paths[2]',
      'kgent.config.json: permissions.rules[1].permission',
      'kgent.config.json: permissions.rules[1].tools',
    ])
    expect(refusal(layers)).toMatch(/paths\[0\]: .*\(and 3 more\)$/)
    expect(validateRules(layers.config?.rules).map(({ place: at }) => at)).toHaveLength(4)
    expect(findPolicyProblems({})).toEqual([])
  })
})

describe('absent, null and [] are three things', () => {
  it('a switch that is absent is not set, null is an error with its place', () => {
    expect(buildEffectivePolicy({ config: {} }).filesystemRead).toBe(true)
    expect(refusal({ config: { filesystemRead: null } })).toBe(
      'config.permissions.filesystemRead: say true or false, or leave it away for “not set”.',
    )
    expect(refusal({ config: { shell: 'false' } })).toContain('config.permissions.shell: say true or false')
    for (const part of ['runtime', 'config', 'sandbox', 'skills', 'tools']) {
      expect(refusal({ [part]: null })).toContain(`${part}: `)
    }
  })

  it('a misspelt switch, layer or option is not passed over', () => {
    expect(refusal({ config: { filesystemwrite: false } })).toContain(
      'config.permissions.filesystemwrite: there is no such key',
    )
    expect(refusal({ configs: {} })).toContain('layers.configs')
    expect(refusal({ runtime: { denies: ['shell'] } })).toContain('runtime.denies')
    expect(refusal({ runtime: { deny: ['Network'] } })).toContain(
      'runtime.deny[0]: there is no permission Network; write network',
    )
    expect(refusal({ runtime: { allowDestructive: ['network'] } })).toContain('runtime.allowDestructive[0]')
    expect(refusal({ config: { mode: 'watch' } })).toContain(
      'config.permissions.mode: say enforce or observe',
    )
    expect(refusal({ sandbox: { mounts: [{ name: '../up', mode: 'rw' }] } })).toContain(
      'sandbox.mounts[0].name',
    )
  })

  it('no rules and no mounts mean none', () => {
    expect(
      buildEffectivePolicy({ config: { rules: [] } }).check({
        permission: 'filesystemRead',
        tool: 't',
        path: 'a',
      }).decision,
    ).toBe('allow')
    const closed = buildEffectivePolicy({ sandbox: { mounts: [] } })
    expect(closed.check({ permission: 'filesystemRead', tool: 't', path: 'a' })).toMatchObject({
      decision: 'deny',
      layer: 'sandbox',
    })
    expect(closed.filesystemWrite).toBe(false)
  })
})

describe('a rule that can never match stops the start', () => {
  it('because it names a tool that does not exist', () => {
    const rule = { tools: ['read_file', 'crm_updat'] }
    expect(refusedRule(rule, { tools })).toBe(
      'config.permissions.rules[1].tools[1]: there is no tool crm_updat; did you mean crm_update?',
    )
    expect(refusedRule({ tools: ['jira_*'] }, { tools })).toContain('the tools are read_file, crm_update')
    const known: PolicyLayers = {
      tools,
      config: { rules: [{ effect: 'deny', permission: '*', tools: ['crm_*'] }] },
    }
    expect(
      buildEffectivePolicy(known).check({ permission: 'filesystemRead', tool: 'crm_update' }).decision,
    ).toBe('deny')
    expect(
      findPolicyProblems({ config: { rules: [{ effect: 'deny', permission: '*', tools: ['later'] }] } }),
    ).toEqual([])
  })

  it('because its paths are outside every mount', () => {
    for (const path of ['keys/**', 'keys', 'work?', 'skills/other/x', 'inputz/{a,b}']) {
      const text = refusedRule({ paths: [path] }, { sandbox })
      expect(text, path).toContain(`config.permissions.rules[1].paths[0]: ${path} is in no mount`)
      expect(text).toContain(`write workspace/${path}`)
    }
  })

  it('but not while some path of it, or some folder on the way to a mount, can match', () => {
    for (const path of [
      '**/.env',
      '*',
      'inputs',
      'input[s]/a',
      'skills',
      'skills/*',
      'skills/**/x',
      '{keys,inputs}/a',
    ]) {
      const layers: PolicyLayers = {
        sandbox,
        config: { rules: [{ effect: 'deny', permission: '*', paths: [path] }] },
      }
      expect(findPolicyProblems(layers), path).toEqual([])
    }
    const policy = buildEffectivePolicy({
      sandbox,
      config: { rules: [{ effect: 'deny', permission: '*', paths: ['inputs/a', 'keys/b'] }] },
    })
    expect(policy.warnings).toMatchObject([{ place: 'config.permissions.rules[0].paths[1]' }])
  })

  it('because two different rules bear one id, while the same rule twice is one', () => {
    const rule: PermissionRule = { id: 'secrets', effect: 'deny', permission: '*', paths: ['inputs/a'] }
    const other: PermissionRule = { ...rule, paths: ['inputs/b'] }
    const text = refusal({ config: { rules: [rule, other] } })
    expect(text).toContain('config.permissions.rules[1].id: secrets is already the id of another rule')
    expect(refusal({ config: { rules: [{ ...rule, id: 'runtime.shell' }] } })).toContain('already the id')
    const { rules } = buildEffectivePolicy({ config: { rules: [rule, { ...rule }] } })
    expect(rules.filter(({ id }) => id === 'secrets')).toHaveLength(1)
  })
})

describe('a rule without effect is remarked with its place', () => {
  it('when the host program, the sandbox or the config itself denies whatever it gives', () => {
    const policy = buildEffectivePolicy({
      runtime: { deny: ['network'] },
      sandbox,
      config: {
        network: true,
        shell: true,
        rules: [
          { effect: 'allow', permission: 'filesystemWrite', paths: ['inputs/drafts/**'] },
          { effect: 'ask', permission: 'filesystemRead', paths: ['inputs/.private/keys/*'] },
          { id: 'private', effect: 'deny', permission: '*', paths: ['inputs/.private'] },
          { effect: 'allow', permission: 'filesystemRead', paths: ['inputs/**'] },
        ],
      },
    })
    expect(policy.warnings.map(({ place }) => place)).toEqual([
      'config.permissions.network',
      'config.permissions.rules[0]',
      'config.permissions.rules[1]',
      'config.permissions.shell',
    ])
    expect(policy.warnings[2]?.message).toBe(
      'has no effect: config rule private (deny) decides wherever it holds',
    )
    expect(findDeadRules(policy).map(({ shadowedBy }) => shadowedBy.id)).toContain(
      'sandbox.inputs.filesystemWrite',
    )
  })

  it('when no tool names a permission that the host denies', () => {
    const policy = buildEffectivePolicy({ tools, runtime: { deny: ['crm.wrte'] } })
    expect(policy.warnings).toMatchObject([
      { message: 'no tool names the permission crm.wrte; did you mean crm.write?' },
    ])
  })

  it('when a writable mount lies in a read-only one', () => {
    const policy = buildEffectivePolicy({
      sandbox: { mounts: [...sandbox.mounts, { name: 'inputs/drafts', mode: 'rw', ignoresCase: false }] },
    })
    expect(policy.warnings).toMatchObject([{ place: 'sandbox mount inputs/drafts' }])
    expect(policy.check({ permission: 'filesystemWrite', tool: 't', path: 'inputs/drafts/a' }).layer).toBe(
      'sandbox',
    )
  })
})

describe('a rule that can never match stops the start', () => {
  const problemOf = (rule: PermissionRule, known: readonly KnownTool[] = tools) => {
    try {
      buildEffectivePolicy({ tools: known, config: { rules: [rule] } })
      return null
    } catch (thrown) {
      return (thrown as Error).message
    }
  }

  it('when no tool names its permission, unless the list of permissions is not complete', () => {
    expect(problemOf({ effect: 'allow', permission: 'crm.wrte' })).toBe(
      'config.permissions.rules[0].permission: no tool names the permission crm.wrte; did you mean crm.write?',
    )
    const other: PermissionRule = { effect: 'deny', permission: 'jira.write' }
    expect(problemOf(other)).toContain('no tool names the permission jira.write')
    const open = [...tools, { name: 'depends_on_input' }]
    expect(problemOf(other, open)).toBeNull()
    expect(problemOf({ effect: 'deny', permission: 'filesystemWriet' }, open)).toContain('filesystemWrite?')
    expect(() => buildEffectivePolicy({ config: { rules: [other] } })).not.toThrow()
  })

  it('when its condition does not fit what the permission is about', () => {
    expect(problemOf({ effect: 'deny', permission: 'memoryWrite', paths: ['inputs'] })).toContain('.paths')
    const scoped: PermissionRule = { effect: 'deny', permission: 'filesystemRead', scopes: ['team'] }
    expect(problemOf(scoped)).toContain('.scopes')
    // A gate that is used alone may be asked anything: there it is a remark.
    const { warnings } = buildEffectivePolicy({ config: { rules: [scoped] } })
    expect(warnings.map(({ place }) => place)).toEqual(['config.permissions.rules[0].scopes'])
  })

  it('when its tools never ask for its permission', () => {
    const known = [
      { name: 'reads', permissions: ['filesystemRead'] },
      { name: 'mails', permissions: ['mail.send'] },
    ]
    expect(problemOf({ effect: 'ask', permission: 'mail.send', tools: ['reads'] }, known)).toContain(
      'reads never asks for mail.send',
    )
    expect(problemOf({ effect: 'ask', permission: 'mail.send', tools: ['*'] }, known)).toBeNull()
    // What a tool opens is decided whether it had said so or not.
    expect(problemOf({ effect: 'deny', permission: 'filesystemWrite', tools: ['reads'] }, known)).toBeNull()
  })
})

describe('bad input', () => {
  it('is built or refused with a place, whatever it is', () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
      maxDepth: 3,
    })
    const key = fc.constantFrom(
      'runtime',
      'config',
      'skills',
      'sandbox',
      'tools',
      'rules',
      'deny',
      'mounts',
      'network',
    )
    const shaped = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        anything,
        fc.dictionary(key, tie('value'), { maxKeys: 3 }),
        fc.array(tie('value'), { maxLength: 2 }),
      ),
    })).value
    fc.assert(
      fc.property(shaped, (layers) => {
        try {
          buildEffectivePolicy(layers as PolicyLayers)
        } catch (thrown) {
          if (!KgentError.is(thrown) || thrown.code !== 'rule_invalid') throw thrown
        }
      }),
      { numRuns: 5_000 },
    )
  })

  it('is denied and said when it is a request, whatever it is', () => {
    const open = buildEffectivePolicy({ config: { rules: [{ effect: 'allow', permission: '*' }] } })
    const odd = fc.oneof(
      fc.anything(),
      fc.record({
        permission: fc.anything(),
        tool: fc.anything(),
        path: fc.anything(),
        scope: fc.anything(),
      }),
    )
    fc.assert(
      fc.property(odd, (request) => {
        const decision = open.check(request as never)
        expect(decision.reason).not.toBe('')
        const { permission, tool } = (request ?? {}) as Record<string, unknown>
        if (typeof permission !== 'string' || typeof tool !== 'string') expect(decision.decision).toBe('deny')
      }),
      { numRuns: 5_000 },
    )
  })
})
