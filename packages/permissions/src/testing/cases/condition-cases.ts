import { notStrictEqual, strictEqual } from 'node:assert/strict'
import type { PermissionGate, PermissionRule } from '@kgent/contracts'
import { type CaseContext, type GateCase, gateCase } from '../gate-case.ts'

const ALLOW: PermissionRule = { effect: 'allow', permission: 'kit.read' }
const FOLDER = 'inputs/team'
const BELOW = [
  'inputs/team',
  'inputs/team/a',
  'inputs/team/.hidden/b',
  'inputs/team/line\nbreak',
  'inputs/team/(1) [x]',
]
const ELSEWHERE = ['inputs', 'inputs/teams', 'inputs/team.txt', 'workspace/inputs/team', 'inputs/tea']

/** Where a rule holds: paths, tools, scopes. */
export function conditionCases({ gate, supports }: CaseContext): GateCase[] {
  return [
    gateCase('paths/deny', 'denies a folder with everything below it, and nothing beside it', {
      needs: !supports.paths && 'paths',
      async run() {
        const check = await gate([ALLOW, { effect: 'deny', permission: 'kit.read', paths: [FOLDER] }])
        for (const path of BELOW) strictEqual(on(check, { path }), 'deny', JSON.stringify(path))
        for (const path of ELSEWHERE) strictEqual(on(check, { path }), 'allow', path)
      },
    }),
    gateCase('paths/allow', 'allows a folder and nothing beside it, nor the permission without a path', {
      needs: !supports.paths && 'paths',
      async run() {
        const check = await gate([{ ...ALLOW, paths: [FOLDER] }])
        for (const path of BELOW) strictEqual(on(check, { path }), 'allow', JSON.stringify(path))
        for (const path of ELSEWHERE) notStrictEqual(on(check, { path }), 'allow', path)
        notStrictEqual(on(check, {}), 'allow', 'the permission as such is allowed')
      },
    }),
    gateCase(
      'paths/ignore-case',
      'denies without regard to case where the disk has none, and allows exactly',
      {
        needs: !(supports.paths && supports.ignoreCase) && 'paths without case',
        async run() {
          const spelling = { path: 'inputs/TEAM/a', ignoreCase: true }
          const denying = await gate([ALLOW, { effect: 'deny', permission: 'kit.read', paths: [FOLDER] }])
          strictEqual(on(denying, spelling), 'deny')
          notStrictEqual(on(await gate([{ ...ALLOW, paths: [FOLDER] }]), spelling), 'allow')
        },
      },
    ),
    gateCase('tools/only-named', 'keeps a rule to the tools that it names', {
      needs: !supports.tools && 'tools',
      async run() {
        const check = await gate([{ ...ALLOW, tools: ['kit_tool'] }])
        strictEqual(on(check, { tool: 'kit_tool' }), 'allow')
        for (const tool of ['kit_tools', 'kit_too', 'other'])
          notStrictEqual(on(check, { tool }), 'allow', tool)
      },
    }),
    gateCase('scopes/only-named', 'keeps a rule to the scopes that it names', {
      needs: !supports.scopes && 'scopes',
      async run() {
        const check = await gate([{ ...ALLOW, scopes: ['team'] }])
        strictEqual(on(check, { scope: 'team' }), 'allow')
        for (const scope of ['teams', 'other', '']) notStrictEqual(on(check, { scope }), 'allow', scope)
        notStrictEqual(on(check, {}), 'allow', 'a request without a scope is allowed')
      },
    }),
  ]
}

function on(
  check: PermissionGate,
  rest: { path?: string; tool?: string; scope?: string; ignoreCase?: boolean },
): string {
  return check({ permission: 'kit.read', tool: 'kit_tool', ...rest }).decision
}
