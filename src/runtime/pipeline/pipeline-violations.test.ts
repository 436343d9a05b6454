import { expect, test } from 'vitest'
import {
  defineEcho,
  openTestPipeline,
  openTestStorage,
  type TestOptions,
  yes,
} from '../../../test/helpers/open-test-pipeline.ts'
import { withFault } from '../../contract/evidence.ts'
import type { JsonObject } from '../../contract/json.ts'
import { ToolError } from '../../contract/tool-error.ts'
import { createCatalog } from './catalog.ts'

const marker = 'MARKER-7f3a'

const cycle: { said: string; self?: unknown } = { said: marker }
cycle.self = cycle

let deep: JsonObject = { said: marker }
for (let level = 0; level < 100; level++) deep = { said: marker, deep }

class Said {
  said = marker
}

interface Case {
  readonly run: () => unknown
  readonly code: 'internal' | 'invalid_output'
  readonly kind: 'threw' | 'undeclared_error' | 'invalid_output'
}

const threw = { code: 'internal', kind: 'threw' } as const
const invalid = { code: 'invalid_output', kind: 'invalid_output' } as const
const undeclared = { code: 'invalid_output', kind: 'undeclared_error' } as const

const cases: Record<string, Case> = {
  'throws an Error': { run: () => toss(new Error(marker)), ...threw },
  'throws a string': { run: () => toss(marker), ...threw },
  'throws undefined': { run: () => toss(undefined), ...threw },
  'throws null': { run: () => toss(null), ...threw },
  'rejects with an Error': { run: () => Promise.reject(new Error(marker)), ...threw },
  'rejects with undefined': { run: () => Promise.reject(), ...threw },
  'rejects later': { run: () => new Promise((_, reject) => setTimeout(reject, 1, marker)), ...threw },
  'gives a thenable that throws': {
    run: () => Object.defineProperty({}, 'then', { get: () => toss(new Error(marker)) }),
    ...threw,
  },
  'returns an undeclared code': { run: () => new ToolError('secret_code', marker), ...undeclared },
  'throws an undeclared code': { run: () => toss(new ToolError('secret_code', marker)), ...undeclared },
  "returns a code of the pipeline's own": { run: () => new ToolError('approval_denied', marker), ...undeclared },
  'returns nothing': { run: () => undefined, ...invalid },
  'returns null': { run: () => null, ...invalid },
  'returns text': { run: () => marker, ...invalid },
  'returns an array': { run: () => [marker], ...invalid },
  'leaves out what it promises': { run: () => ({}), ...invalid },
  'returns another type': { run: () => ({ said: [marker] }), ...invalid },
  'returns more than it promises': { run: () => ({ said: 'a', more: marker }), ...invalid },
  'returns longer text than it promises': { run: () => ({ said: marker.repeat(1000) }), ...invalid },
  'returns a cycle': { run: () => cycle, ...invalid },
  'returns an instance of a class': { run: () => new Said(), ...invalid },
  'returns a function': { run: () => () => marker, ...invalid },
  'returns a BigInt': { run: () => ({ said: 1n }), ...invalid },
  'returns a getter': {
    run: () => ({
      get said() {
        return marker
      },
    }),
    ...invalid,
  },
  'returns an Error': { run: () => new Error(marker), ...invalid },
  'fails with a suggestion that is no text': {
    run: () => new ToolError('too_quiet', 'a', { suggestion: { marker } as never }),
    ...invalid,
  },
  'fails with invalid problems': {
    run: () => new ToolError('too_quiet', 'a', { problems: [{ marker }] as never }),
    ...invalid,
  },
  'fails with a cycle': { run: () => new ToolError('too_quiet', 'a', { problems: cycle as never }), ...invalid },
  'fails with too long a message': { run: () => new ToolError('too_quiet', marker.repeat(10_000)), ...invalid },
  'fails with a wait below zero': { run: () => new ToolError('too_quiet', marker, { retryAfterMs: -1 }), ...invalid },
}

test.each(Object.entries(cases))(
  'a tool that %s is found out, and the caller sees nothing of it',
  async (_name, { run, code, kind }) => {
    const { call, records, violations, storage } = openTestPipeline([defineEcho({}, run as never)])
    const result = await call('test.echo', { text: 'a' })
    expect(result).toMatchObject({ success: false, error: { code } })
    expect(await storage.evidence.get(result.callId)).toEqual(expect.any(String))
    expect(Object.keys(result).sort()).toEqual(['callId', 'durationMs', 'error', 'ran', 'success', 'tool'])
    expect(violations).toMatchObject([{ callId: result.callId, tool: 'test.echo', kind, message: expect.any(String) }])
    const kept = await records(result)
    expect(kept.at(-1)).toMatchObject({ kind: 'outcome', success: false, errorCode: code, violation: kind })
    for (const text of [JSON.stringify(result), JSON.stringify(kept)]) {
      expect(text).not.toContain(marker)
      expect(text).not.toContain('secret_code')
      expect(text).not.toMatch(/\bat .*:\d+:\d+/)
    }
  },
)

test.each([
  ['bytes', () => ({ said: marker.repeat(200_000) }), /more than 1048576 bytes/],
  ['depth', () => deep, /more than 64 levels deep/],
])(
  'a limit of %s is reported as such, is no violation, and the caller sees nothing of the output',
  async (_what, run, message) => {
    const { call, records, violations, storage } = openTestPipeline([defineEcho({}, run as never)])
    const result = await call('test.echo', { text: 'a' })
    expect(result).toMatchObject({
      error: { code: 'output_too_large', fixable: true, message: expect.stringMatching(message) },
    })
    expect(JSON.stringify(result)).not.toContain(marker)
    expect(violations).toEqual([])
    expect(await storage.evidence.get(result.callId)).toBeUndefined()
    expect((await records(result)).at(-1)).toMatchObject({ errorCode: 'output_too_large', violation: null })
  },
)

test('a tool over its limit names the parameters by which it can be asked for less', async () => {
  const input = {
    type: 'object',
    properties: { text: { type: 'string' }, max_results: { type: 'integer' }, page: { type: 'integer' } },
    additionalProperties: false,
  } as const
  const { call } = openTestPipeline([defineEcho({ input, limits: { outputBytes: 5 } } as never)])
  expect(await call('test.echo', { text: 'a' })).toMatchObject({
    error: {
      code: 'output_too_large',
      suggestion: expect.stringMatching(/^Ask for less, with max_results, page\. To raise/),
    },
  })
})

test('people get the raw evidence', async () => {
  const raw = new Error(marker)
  const { call, violations } = openTestPipeline([defineEcho({}, () => toss(raw))])
  await call('test.echo', { text: 'a' })
  expect(violations[0]!.raw).toBe(raw)

  const wrong = openTestPipeline([defineEcho({}, () => ({ said: 5 }))])
  await wrong.call('test.echo', { text: 'a' })
  expect(wrong.violations).toMatchObject([{ raw: { said: 5 }, problems: [{ pointer: '/said' }] }])
})

test('the evidence is kept for people under the id of the call, without secrets', async () => {
  const { call, storage } = openTestPipeline([defineEcho({}, () => ({ said: 5, token: 'abcdefgh', more: marker }))])
  const { callId } = await call('test.echo', { text: 'a' })
  expect(JSON.parse((await storage.evidence.get(callId))!)).toEqual({ said: 5, token: '[redacted]', more: marker })
})

test.each([
  ['rejects', () => Promise.reject(new Error(marker))],
  ['throws', () => toss(new Error(marker))],
])('a storage that %s when it keeps the evidence changes nothing about the call', async (_how, keep) => {
  const storage = { ...openTestStorage('memory'), evidence: { keep, get: async () => undefined } }
  const { call, records, violations } = openTestPipeline([defineEcho({}, () => ({ said: 5 }))], { storage })
  const result = await call('test.echo', { text: 'a' })
  expect(result).toMatchObject({ success: false, error: { code: 'invalid_output' } })
  expect((await records(result)).at(-1)).toMatchObject({ kind: 'outcome', violation: 'invalid_output' })
  expect(violations.map(({ kind }) => kind)).toEqual(['invalid_output', 'check_failed'])
})

test('the caller is told what Toolpact found wrong with an output, and what to do', async () => {
  for (const fault of [{ message: 'It is cut off.', suggestion: 'Ask for less.' }, { message: 'It is cut off.' }]) {
    const { call } = openTestPipeline([defineEcho({}, () => withFault({ nothing: 1 }, fault) as never)])
    const result = await call('test.echo', { text: 'a' })
    const { message, suggestion } = (result as { error: { message: string; suggestion?: string } }).error
    expect(message).toMatch(/ its contract does not allow\. It is cut off\.$/)
    expect(suggestion === 'Ask for less.').toBe('suggestion' in fault)
  }
})

test('of calls that keep their contracts no evidence is kept', async () => {
  const { call, storage } = openTestPipeline([defineEcho()])
  for (const input of [{ text: 'a' }, { text: 5 }]) {
    const { callId } = await call('test.echo', input)
    expect(await storage.evidence.get(callId)).toBeUndefined()
  }
})

test('a declared failure is the same whether it is thrown or returned', async () => {
  const error = new ToolError('too_quiet', 'Nothing.', { suggestion: 'Shout.', retryAfterMs: 5 })
  const expected = {
    code: 'too_quiet',
    message: 'Nothing.',
    suggestion: 'Shout.',
    status: 422,
    fixable: true,
    retryAfterMs: 5,
  }
  for (const run of [() => error, async () => error, () => toss(error), () => Promise.reject(error)]) {
    const { call, violations } = openTestPipeline([defineEcho({}, run)])
    const result = await call('test.echo', { text: 'a' })
    expect(!result.success && result.error).toEqual(expected)
    expect(violations).toEqual([])
  }
})

test('a tool chooses neither status nor code beyond what it declares', async () => {
  const error = Object.assign(new ToolError('too_quiet', 'Nothing.'), { status: 200, fixable: false, stack: marker })
  const { call } = openTestPipeline([defineEcho({}, () => error)])
  const result = await call('test.echo', { text: 'a' })
  expect(!result.success && result.error).toEqual({
    code: 'too_quiet',
    message: 'Nothing.',
    suggestion: 'Speak up.',
    status: 422,
    fixable: true,
  })
})

test('what the caller gets is a copy that the tool can no longer change', async () => {
  const kept: JsonObject = { said: 'first' }
  const { call } = openTestPipeline([defineEcho({}, () => kept)])
  const result = await call('test.echo', { text: 'a' })
  kept.said = 'second'
  expect(result).toMatchObject({ output: { said: 'first' } })
})

const asks = { risk: 'safe_write' } as const
const breaking: Record<string, { options: TestOptions; code: string; kinds: string[] }> = {
  policy: { options: { approver: yes, policy: () => toss(new Error(marker)) }, code: 'internal', kinds: ['refusal'] },
  'policy that says nothing': {
    options: { approver: yes, policy: () => undefined as never },
    code: 'internal',
    kinds: ['refusal'],
  },
  capabilities: {
    options: { approver: yes, capabilities: () => toss(new Error(marker)) },
    code: 'internal',
    kinds: ['intent', 'outcome'],
  },
  redact: {
    options: { approver: yes, redact: () => toss(new Error(marker)) },
    code: 'ledger_unavailable',
    kinds: ['refusal'],
  },
  approver: { options: { approver: () => toss(new Error(marker)) }, code: 'internal', kinds: ['refusal'] },
  'approver that rejects': {
    options: { approver: () => Promise.reject(new Error(marker)) },
    code: 'internal',
    kinds: ['refusal'],
  },
  'approver that says nothing': {
    options: { approver: async () => undefined as never },
    code: 'internal',
    kinds: ['refusal'],
  },
  'approver that gives an empty answer': {
    options: { approver: async () => ({}) as never },
    code: 'approval_denied',
    kinds: ['refusal'],
  },
  'approver that says something else': {
    options: { approver: async () => ({ answer: 'maybe', by: 'x' }) as never },
    code: 'approval_denied',
    kinds: ['refusal'],
  },
  catalog: {
    options: { catalog: { ...createCatalog({}), find: () => toss(new Error(marker)) } },
    code: 'internal',
    kinds: ['refusal'],
  },
}

test.each(Object.entries(breaking))(
  'a broken %s prevents the run, and is recorded',
  async (_name, { options, code, kinds }) => {
    const { call, runs, records, violations } = openTestPipeline([{ ...defineEcho(asks), needs: ['files'] }], options)
    const result = await call('test.echo', { text: 'a' })
    expect(result).toMatchObject({ success: false, error: { code } })
    expect(JSON.stringify(result)).not.toContain(marker)
    expect(runs).toEqual([])
    expect((await records(result)).map((record) => record.kind)).toEqual(kinds)
    if (kinds.length > 1) expect((await records(result)).at(-1)).toMatchObject({ violation: null })
    expect(JSON.stringify(await records(result))).not.toContain(marker)
    expect(violations.map((violation) => violation.kind)).toEqual(code === 'approval_denied' ? [] : ['check_failed'])
  },
)

test('a redact that breaks leaves the refusal in the ledger, without its input', async () => {
  const { call, records } = openTestPipeline([defineEcho()], { redact: () => toss(new Error(marker)) })
  expect(await records(await call('test.echo', { text: 5 }))).toMatchObject([
    { kind: 'refusal', errorCode: 'invalid_input', input: null },
  ])
})

test.each([
  ['throws', () => toss(new Error(marker))],
  ['rejects', () => Promise.reject(new Error(marker))],
])('a listener that %s changes nothing about a call', async (_how, listener) => {
  const tool = defineEcho({}, ({ text }, { progress }) => {
    progress({ progress: 1 })
    return text === 'bad' ? toss(new Error(marker)) : { said: 'done' }
  })
  const { call } = openTestPipeline([tool], { onViolation: listener })
  expect(await call('test.echo', { text: 'a' }, { onProgress: listener })).toMatchObject({ output: { said: 'done' } })
  expect(await call('test.echo', { text: 'bad' })).toMatchObject({ error: { code: 'internal' } })
})

test('a schema that cannot be compiled stops its own tool alone', async () => {
  const broken = { type: 'object', additionalProperties: false, properties: { a: { type: 'strng' } } } as never
  const { call, runs, violations } = openTestPipeline([
    defineEcho({ name: 'bad_input', input: broken }),
    defineEcho({ name: 'bad_output', output: broken }),
    defineEcho(),
  ])
  expect(await call('test.bad_input', { a: 'a' })).toMatchObject({ error: { code: 'internal' } })
  expect(await call('test.bad_output', { text: 'a' })).toMatchObject({ error: { code: 'internal' } })
  expect(violations.map((violation) => violation.kind)).toEqual(['check_failed', 'check_failed'])
  expect(await call('test.echo', { text: 'a' })).toMatchObject({ success: true })
  expect(runs).toHaveLength(2)
})

function toss(value: unknown): never {
  throw value
}
