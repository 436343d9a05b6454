import { expect, test } from 'vitest'
import { defineTool } from '../contract/define-tool.ts'
import { type Decision, decide, type Policy } from './decide.ts'
import type { PolicyCall } from './policy-call.ts'

const object = { type: 'object', additionalProperties: false } as const

function callOf(...of: Parameters<typeof contractOf>): PolicyCall {
  return {
    toolId: 'test.x',
    contract: contractOf(...of),
    input: {},
    canonicalInput: '{}',
    caller: { name: 'test' },
    now: 0,
  }
}

function contractOf(risk: 'read_only' | 'safe_write' | 'dangerous', approval?: 'never' | 'ask') {
  const source = { name: 'x', description: 'Does x.', risk, input: object, output: object }
  return defineTool(approval ? { ...source, approval } : source, () => ({})).contract
}

const table: [Parameters<typeof contractOf>, Policy, Decision['action'], string][] = [
  [['read_only'], {}, 'allow', 'contract'],
  [['safe_write'], {}, 'ask', 'contract'],
  [['dangerous'], {}, 'ask', 'contract'],
  [['safe_write', 'never'], {}, 'allow', 'contract'],
  [['read_only', 'ask'], {}, 'ask', 'contract'],
  [['read_only'], { askAll: true }, 'ask', 'ask-all'],
  [['safe_write', 'never'], { askAll: true }, 'ask', 'ask-all'],
  [['read_only'], { readOnly: true }, 'allow', 'contract'],
  [['safe_write'], { readOnly: true }, 'deny', 'read-only'],
  [['safe_write', 'never'], { readOnly: true }, 'deny', 'read-only'],
  [['dangerous'], { readOnly: true, askAll: true }, 'deny', 'read-only'],
  [['read_only'], { readOnly: true, askAll: true }, 'ask', 'ask-all'],
  [['dangerous'], { readOnly: false, askAll: false }, 'ask', 'contract'],
]

test.each(table)('%j under %j: %s, by %s', (contract, policy, action, rule) => {
  expect(decide(callOf(...contract), policy)).toEqual({ action, rule, reason: expect.stringMatching(/\.$/) })
})

test('a reason names the risk', () => {
  expect(decide(callOf('dangerous'), { readOnly: true }).reason).toContain('dangerous')
  expect(decide(callOf('safe_write'), {}).reason).toContain('safe_write')
})
