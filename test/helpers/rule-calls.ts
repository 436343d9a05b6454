import { canonicalJson } from '../../src/contract/canonical-json.ts'
import type { Effects } from '../../src/contract/contract.ts'
import { defineTool } from '../../src/contract/define-tool.ts'
import type { JsonObject } from '../../src/contract/json.ts'
import type { Rule } from '../../src/contract/rule.ts'
import type { PolicyCall } from '../../src/policy/policy-call.ts'

const object = { type: 'object', additionalProperties: true } as const

/** A call of `test.x`, which needs approval by its contract. */
export function toCall(input: JsonObject, effects: Effects = {}, more: Partial<PolicyCall> = {}): PolicyCall {
  const source = {
    name: 'x',
    description: 'Does x.',
    risk: 'dangerous',
    input: object,
    output: object,
    effects,
  } as const
  return {
    toolId: 'test.x',
    contract: defineTool(source, () => ({})).contract,
    input,
    canonicalInput: canonicalJson(input),
    caller: { name: 'test' },
    workspace: '/home/ada/project',
    now: Date.parse('2026-06-01T12:00:00Z'),
    ...more,
  }
}

let rules = 0

/** A rule that allows all calls of `test.x`. */
export function toRule(pattern: string, more: Partial<Omit<Rule, 'scope'>> = {}): Rule {
  return {
    id: `rule-${rules++}`,
    tool: 'test.x',
    pattern,
    action: 'allow',
    scope: 'everywhere',
    createdBy: 'a test',
    createdAt: '2026-01-01T00:00:00Z',
    ...more,
  }
}
