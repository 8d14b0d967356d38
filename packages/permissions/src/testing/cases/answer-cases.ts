import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict'
import type { PermissionRule, ResolvedPermissionRequest } from '@kgent/contracts'
import { type CaseContext, type GateCase, gateCase } from '../gate-case.ts'

const RULES: PermissionRule[] = [
  { effect: 'allow', permission: 'kit.read' },
  { effect: 'deny', permission: 'kit.write' },
]
const REQUESTS: ResolvedPermissionRequest[] = [
  { permission: 'kit.read', tool: 'kit_tool' },
  { permission: 'kit.read', tool: 'kit_tool', path: 'inputs/a', scope: 'team', resource: 'r' },
  { permission: 'kit.write', tool: 'kit_tool', scope: 'team', resource: 'r' },
  { permission: 'kit.other', tool: 'kit_tool', resource: 'r' },
]
const LAYERS = ['runtime', 'sandbox', 'config', 'skill', 'default']

/** What an answer looks like, and that it depends on nothing but the question. */
export function answerCases({ gate }: CaseContext): GateCase[] {
  return [
    gateCase('answer/reason', 'gives a reason with every answer, allows included', {
      async run() {
        const check = await gate(RULES)
        for (const request of REQUESTS) {
          const { reason } = check(request)
          ok(typeof reason === 'string' && reason.trim() !== '', `no reason for ${JSON.stringify(request)}`)
        }
      },
    }),
    gateCase('answer/shape', 'answers the question that was asked, at once and as plain data', {
      async run() {
        const check = await gate(RULES)
        for (const request of REQUESTS) {
          const answer = check(request)
          ok(!('then' in answer), 'the answer is a promise')
          strictEqual(answer.permission, request.permission)
          strictEqual(answer.resource, request.path ?? request.scope ?? request.resource ?? null)
          ok(['allow', 'ask', 'deny'].includes(answer.decision), `decision ${answer.decision}`)
          ok(LAYERS.includes(answer.layer), `layer ${answer.layer}`)
          ok(answer.rule === null || typeof answer.rule === 'string', 'rule is a text or null')
          ok(Array.isArray(answer.requestedBy), 'requestedBy is a list')
          deepStrictEqual(JSON.parse(JSON.stringify(answer)), answer)
        }
      },
    }),
    gateCase('pure/repeated', 'answers the same question the same way, whatever was asked in between', {
      async run() {
        const check = await gate(RULES)
        const first = REQUESTS.map((request) => structuredClone(check(request)))
        const again = REQUESTS.toReversed().map((request) => check(request))
        deepStrictEqual(again.toReversed(), first)
      },
    }),
    gateCase('pure/request-untouched', 'changes nothing about the request', {
      async run() {
        const check = await gate(RULES)
        for (const request of REQUESTS) {
          const asked = structuredClone(request)
          check(asked)
          deepStrictEqual(asked, request)
          check(Object.freeze(structuredClone(request)))
        }
      },
    }),
    gateCase('pure/own-state', 'shares nothing with another gate', {
      async run() {
        const allowing = await gate(RULES)
        const silent = await gate([])
        const [request] = REQUESTS as [ResolvedPermissionRequest]
        strictEqual(allowing(request).decision, 'allow')
        ok(silent(request).decision !== 'allow', 'a gate without rules allows what another one allows')
        strictEqual(allowing(request).decision, 'allow')
      },
    }),
  ]
}
