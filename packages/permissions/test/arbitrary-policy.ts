import {
  BASE_PERMISSIONS,
  buildEffectivePolicy,
  type ConfigLayer,
  type EffectivePermissionPolicy,
  type PermissionDecision,
  type PermissionRule,
  type PolicyLayers,
  type ResolvedPermissionRequest,
  type RuntimeLayer,
  type SkillRequest,
} from '@kgent/permissions'
import fc from 'fast-check'

/** Random policies a law is held against. */
const POLICIES = 10_000

const PERMISSIONS = [...BASE_PERMISSIONS, 'crm.write']
const TOOLS = ['read_file', 'write_file', 'fetch']
const SCOPES = ['team', 'me:notes', 'other']
const GLOBS = ['inputs', 'inputs/.private/**', 'workspace/*.md', '**/.env', 'workspace/{a,b}', '*/a', '**']
const PATHS = [
  'inputs',
  'inputs/.private',
  'inputs/.private/key',
  'inputs/a',
  'workspace/a',
  'workspace/a/.env',
  'workspace/A/.ENV',
  'workspace/plan.md',
  'outside/a',
  'inputs/../workspace/a',
]

const some = (values: readonly string[]) => fc.subarray([...values], { minLength: 1, maxLength: 2 })
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 })
const seldom = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })

function ruleOf(...effects: PermissionRule['effect'][]): fc.Arbitrary<PermissionRule> {
  const parts = {
    effect: fc.constantFrom(...effects),
    permission: fc.constantFrom(...PERMISSIONS, '*'),
    paths: optional(some(GLOBS)),
    tools: optional(some([...TOOLS, '*_file'])),
    scopes: seldom(some(['team', 'me:*'])),
    reason: optional(fc.constant('because')),
  }
  return fc.record(parts).map(withoutUndefined)
}

const anyRule = ruleOf('allow', 'ask', 'deny')

const runtime: fc.Arbitrary<RuntimeLayer> = fc.record({
  deny: fc.subarray(PERMISSIONS, { maxLength: 1 }),
  rules: fc.array(anyRule, { maxLength: 2 }),
  allowDestructive: fc.subarray(['shell', 'filesystemDelete']),
})

const config: fc.Arbitrary<ConfigLayer> = fc
  .record({
    filesystemRead: optional(fc.boolean()),
    filesystemWrite: optional(fc.boolean()),
    shell: optional(fc.boolean()),
    network: optional(fc.boolean()),
    rules: fc.array(anyRule, { maxLength: 3 }),
    mode: fc.constantFrom(undefined, 'enforce', 'observe'),
  })
  .map(withoutUndefined)

const skills = fc.array(
  fc.record({
    id: fc.constantFrom('tidy', 'report'),
    permissions: fc.subarray(PERMISSIONS, { maxLength: 3 }),
  }),
  { maxLength: 2 },
)

const mode = fc.constantFrom('ro' as const, 'rw' as const)
const sandbox = fc.tuple(mode, mode).map(([workspace, inputs]) => ({
  mounts: [
    { name: 'workspace', mode: workspace, ignoresCase: false },
    { name: 'inputs', mode: inputs, ignoresCase: false },
  ],
}))

const layers = fc
  .record({
    runtime: optional(runtime),
    config: optional(config),
    skills: optional(skills),
    sandbox: optional(sandbox),
  })
  .map((drawn): PolicyLayers => withoutUndefined(drawn))

const request = fc
  .record({
    permission: fc.constantFrom(...PERMISSIONS),
    tool: fc.constantFrom(...TOOLS),
    path: fc.option(fc.constantFrom(...PATHS), { nil: undefined, freq: 4 }),
    scope: optional(fc.constantFrom(...SCOPES)),
    ignoreCase: fc.constantFrom(undefined, undefined, true),
  })
  .map((drawn) => withoutUndefined(drawn) as ResolvedPermissionRequest)

function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as T
}

/** A random policy, what is asked of it, and what a law may add to it. */
interface Sample {
  layers: PolicyLayers
  requests: ResolvedPermissionRequest[]
  added: { deny: PermissionRule; ask: PermissionRule; skills: SkillRequest[] }
  policy: EffectivePermissionPolicy
  decisions: PermissionDecision[]
}

const drawn = fc.record({
  layers,
  requests: fc.array(request, { minLength: 5, maxLength: 5 }),
  added: fc.record({ deny: ruleOf('deny'), ask: ruleOf('ask'), skills }),
})

const seed = Number(process.env.FAST_CHECK_SEED ?? Date.now() % 2 ** 31)

/** Built once for all laws of a file. */
const samples = fc.sample(drawn, { numRuns: POLICIES, seed }).map((sample): Sample => {
  const policy = buildEffectivePolicy(sample.layers)
  return { ...sample, policy, decisions: sample.requests.map((one) => policy.check(one)) }
})

/** Holds a law against every sample; one that breaks it is shown with the seed that finds it again. */
export function check(law: (sample: Sample) => void): void {
  for (const sample of samples) {
    try {
      law(sample)
    } catch (thrown) {
      const { policy: _policy, decisions: _decisions, ...data } = sample
      throw new Error(`FAST_CHECK_SEED=${seed} ${JSON.stringify(data)}`, { cause: thrown })
    }
  }
}

/** The same layers with one more rule in the config. */
export function withRule(base: PolicyLayers, rule: PermissionRule): PolicyLayers {
  return { ...base, config: { ...base.config, rules: [...(base.config?.rules ?? []), rule] } }
}

export function decisionsOf(base: PolicyLayers, requests: readonly ResolvedPermissionRequest[]) {
  const policy = buildEffectivePolicy(base)
  return requests.map((one) => policy.check(one))
}

/** Throws with both values when they differ; cheaper than a matcher, a hundred thousand times. */
export function same(actual: unknown, expected: unknown): void {
  const [left, right] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (left !== right) throw new Error(`${left}\nis not\n${right}`)
}

export function holds(condition: boolean, data: unknown): void {
  if (!condition) throw new Error(JSON.stringify(data))
}
