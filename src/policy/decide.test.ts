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

const flowing = { type: 'object', properties: { url: { type: 'string' } }, additionalProperties: false } as const

function fetching(
  url: string | undefined,
  more: { approval?: 'ask'; taken?: string[]; allowed?: string[] } = {},
): PolicyCall {
  const { approval = 'never', taken = ['.env'], allowed = [] } = more
  const effects = { fetches: ['url'], askPerHost: true }
  const source = {
    name: 'x',
    description: 'Does x.',
    risk: 'read_only',
    input: flowing,
    output: object,
    effects,
  } as const
  const { contract } = defineTool({ ...source, approval }, () => ({}))
  const input: PolicyCall['input'] = url === undefined ? {} : { url }
  const flow = { who: 'This session', taken: { private: taken, untrusted: [] }, allowed: new Set(allowed) }
  return { ...callOf('read_only'), contract, input, canonicalInput: JSON.stringify(input), flow }
}

test.each([
  ['nothing was read', fetching('https://a.example/', { taken: [] }), 'allow', 'contract'],
  ['a host that is not allowed', fetching('https://a.example/'), 'ask', 'data-flow'],
  ['a host that is allowed', fetching('https://a.example/b', { allowed: ['https://a.example'] }), 'allow', 'contract'],
  [
    'https where http is allowed',
    fetching('https://a.example/', { allowed: ['http://a.example'] }),
    'allow',
    'contract',
  ],
  [
    'http where https is allowed',
    fetching('http://a.example/', { allowed: ['https://a.example'] }),
    'ask',
    'data-flow',
  ],
  ['another port', fetching('https://a.example:8443/', { allowed: ['http://a.example:8443'] }), 'ask', 'data-flow'],
  ['a subdomain', fetching('https://b.a.example/', { allowed: ['https://a.example'] }), 'ask', 'data-flow'],
  ['a host that is written otherwise', fetching('HTTPS://A.EXAMPLE:443', { allowed: ['https://a.example'] }), 'allow', 'contract'], // biome-ignore format: one line
  ['a user name that looks like a host', fetching('https://a.example@evil.example/', { allowed: ['https://a.example'] }), 'ask', 'data-flow'], // biome-ignore format: one line
  ['a tool that asks, and a host that is allowed', fetching('https://a.example/', { approval: 'ask', allowed: ['https://a.example'] }), 'allow', 'host'], // biome-ignore format: one line
  ['a tool that asks, and another host', fetching('https://a.example/', { approval: 'ask' }), 'ask', 'contract'],
  ['a tool that asks, and no host at all', fetching(undefined, { approval: 'ask' }), 'ask', 'contract'],
] as const)('data flow: %s', (_what, call, action, rule) => {
  expect(decide(call, { followsData: true })).toMatchObject({ action, rule })
  expect(decide(call, { readOnly: true, askAll: true })).toMatchObject({ rule: 'ask-all' })
})

test('a reason names what was read and who would receive it', () => {
  expect(decide(fetching('https://a.example/?d=1', { taken: ['.env', 'src/a.ts'] }), {}).reason).toBe(
    'This session read private data (.env, src/a.ts); this call sends data to a.example, which you have not allowed yet.',
  )
})
