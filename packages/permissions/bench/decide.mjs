// What a decision and a policy of 200 scoped rules cost. Build first, then: node bench/decide.mjs
import { buildEffectivePolicy } from '@kgent/permissions'

const RULES = 200
const ROUNDS = 200
const EACH = 500

const FORMS = [
  (n) => ({ effect: 'deny', permission: 'filesystemRead', paths: [`inputs/team-${n}/private/**`] }),
  (n) => ({ effect: 'deny', permission: '*', paths: [`**/secret-${n}.key`] }),
  (n) => ({
    effect: 'ask',
    permission: 'filesystemRead',
    paths: [`workspace/area-${n}/*.sql`, `workspace/area-${n}/dump`],
  }),
  (n) => ({
    effect: 'allow',
    permission: 'filesystemRead',
    paths: [`inputs/*/report-${n}-*.md`],
    tools: ['read_file', 'grep_*'],
  }),
  (n) => ({ effect: 'deny', permission: 'filesystemRead', tools: [`tool_${n}`] }),
]
const rules = Array.from({ length: RULES }, (_, n) => FORMS[n % FORMS.length](n))
const mounts = [
  'workspace',
  'deliverables',
  'artifacts',
  'inputs',
  ...Array.from({ length: 20 }, (_, n) => `skills/skill-${n}`),
]
const layers = {
  config: { rules },
  sandbox: { mounts: mounts.map((name, n) => ({ name, mode: n < 2 ? 'rw' : 'ro', ignoresCase: false })) },
}
const requests = {
  'no rule about the path': {
    permission: 'filesystemRead',
    tool: 'read_file',
    path: 'workspace/notes/2026/plan.md',
  },
  'denied by a rule': {
    permission: 'filesystemRead',
    tool: 'read_file',
    path: 'inputs/team-150/private/a/b.txt',
  },
  'a deep path': {
    permission: 'filesystemRead',
    tool: 'grep_files',
    path: `inputs/${'folder/'.repeat(20)}file.ts`,
  },
  accents: { permission: 'filesystemRead', tool: 'read_file', path: 'workspace/présentation/résumé.md' },
  'case ignored': {
    permission: 'filesystemRead',
    tool: 'read_file',
    path: 'workspace/Notes/PLAN.md',
    ignoreCase: true,
  },
}

const started = performance.now()
const policy = buildEffectivePolicy(layers)
report('build, first in the process', [performance.now() - started], 'ms')
report(
  'build, warm',
  Array.from({ length: ROUNDS }, () => timed(() => buildEffectivePolicy(layers))),
  'ms',
)
for (const [name, request] of Object.entries(requests)) {
  timed(() => repeat(20_000, () => policy.check(request)))
  const samples = Array.from(
    { length: ROUNDS },
    () => (timed(() => repeat(EACH, () => policy.check(request))) / EACH) * 1_000,
  )
  report(`decide, ${name}`, samples, 'µs')
}

function timed(action) {
  const start = performance.now()
  action()
  return performance.now() - start
}

function repeat(times, action) {
  for (let n = 0; n < times; n += 1) action()
}

function report(name, samples, unit) {
  const sorted = samples.toSorted((a, b) => a - b)
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))].toFixed(2)
  console.log(`${name.padEnd(34)} median ${at(0.5)} ${unit}   p95 ${at(0.95)} ${unit}`)
}
