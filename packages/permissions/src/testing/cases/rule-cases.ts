import { deepStrictEqual, notStrictEqual, strictEqual } from 'node:assert/strict'
import type { PermissionRule } from '@kgent/contracts'
import { type CaseContext, type GateCase, gateCase } from '../gate-case.ts'

const ALLOW: PermissionRule = { effect: 'allow', permission: 'kit.read' }
const ASK: PermissionRule = { effect: 'ask', permission: 'kit.read' }
const DENY: PermissionRule = { effect: 'deny', permission: 'kit.read' }
const READ = { permission: 'kit.read', tool: 'kit_tool' }

/** What an answer follows from: nothing said, something allowed, something denied. */
export function ruleCases({ gate, supports }: CaseContext): GateCase[] {
  return [
    gateCase('unknown/nothing-said', 'does not allow what nobody has allowed', {
      async run() {
        const check = await gate([])
        for (const permission of ['kit.read', 'constructor', '__proto__', 'toString', '*']) {
          notStrictEqual(
            check({ permission, tool: 'kit_tool' }).decision,
            'allow',
            `${permission} is allowed`,
          )
        }
      },
    }),
    gateCase('unknown/another', 'does not take one permission for another', {
      async run() {
        const check = await gate([ALLOW])
        for (const permission of ['kit.write', 'kit', 'kit.read.more', 'KIT.READ']) {
          notStrictEqual(
            check({ permission, tool: 'kit_tool' }).decision,
            'allow',
            `${permission} is allowed`,
          )
        }
      },
    }),
    gateCase('allow/said', 'allows what a rule allows', {
      async run() {
        strictEqual((await gate([ALLOW]))(READ).decision, 'allow')
        strictEqual(
          (await gate([{ ...ALLOW, permission: '*' }]))(READ).decision,
          'allow',
          'permission * is every one',
        )
      },
    }),
    gateCase('deny/any-order', 'denies when any rule denies, in any order and however often another allows', {
      async run() {
        const wide: PermissionRule = { effect: 'deny', permission: '*' }
        for (const rules of [
          [ALLOW, DENY],
          [DENY, ALLOW],
          [ALLOW, DENY, ALLOW],
          [wide, ALLOW],
          [ALLOW, wide],
        ]) {
          strictEqual((await gate(rules))(READ).decision, 'deny', JSON.stringify(rules))
        }
      },
    }),
    gateCase('ask/between', 'puts asking over allowing and denying over asking, in any order', {
      needs: !supports.ask && 'asking',
      async run() {
        const decisions: string[] = []
        for (const rules of [[ASK], [ALLOW, ASK], [ASK, ALLOW], [ASK, DENY], [DENY, ASK]]) {
          decisions.push((await gate(rules))(READ).decision)
        }
        deepStrictEqual(decisions, ['ask', 'ask', 'ask', 'deny', 'deny'])
      },
    }),
    gateCase('failure/denies', 'does not allow when the engine fails: it throws, or denies', {
      async run() {
        const check = await gate([ALLOW], true)
        let decision = 'deny'
        try {
          decision = check(READ).decision
        } catch {
          // A gate that throws counts as a denial.
        }
        strictEqual(decision, 'deny')
      },
    }),
  ]
}
