import { describe, expect, test } from 'vitest'
import { defineEcho, openTestPipeline, type TestOptions, yes } from '../../../test/helpers/open-test-pipeline.ts'
import type { CallResult } from '../../contract/call-result.ts'
import type { ContractSource } from '../../contract/contract.ts'
import type { Tool } from '../../contract/tool.ts'
import { ToolError } from '../../contract/tool-error.ts'
import { createDeferringApprover } from '../approval/queue-approvers.ts'
import { toCalls } from '../storage/calls.ts'
import type { Call } from './call.ts'
import type { NeedyTool } from './pipeline-options.ts'
import { startQuery } from './queries.ts'

const asks = { risk: 'safe_write' } as const
const tooQuiet: Tool['validate'] = ({ text }, { fail }) =>
  text === '' ? fail('too_quiet', 'There is nothing to say.') : undefined

function open(validate: Tool['validate'] = tooQuiet, changes: Partial<ContractSource> = asks, options?: TestOptions) {
  return openTestPipeline([{ ...defineEcho(changes), ...(validate && { validate }) }], { approver: yes, ...options })
}

describe('what validate finds', () => {
  test.each([
    ['an approval would be asked for', asks],
    ['the policy allows the call', { risk: 'read_only' } as const],
  ])('ends the call before it runs, and no person is asked, where %s', async (_where, changes) => {
    const { call, records, asked, runs, violations } = open(tooQuiet, changes)
    const result = await call('test.echo', { text: '' })
    expect(result).toMatchObject({
      success: false,
      ran: false,
      error: { code: 'too_quiet', status: 422, message: 'There is nothing to say.', suggestion: 'Speak up.' },
    })
    const [record, ...more] = await records(result)
    expect(record).toMatchObject({ kind: 'refusal', errorCode: 'too_quiet', approval: null })
    expect(record!.checks).toEqual({
      resolve: 'passed',
      bound: 'passed',
      input: 'passed',
      single_step: 'not_needed',
      rate: 'not_needed',
      decide: 'passed',
      check: 'failed',
    })
    expect([more, asked, runs, violations]).toEqual([[], [], [], []])
  })

  test('may be thrown or come later', async () => {
    const toss: Tool['validate'] = async () => {
      throw new ToolError('too_quiet', 'Thrown.')
    }
    const { call, violations } = open(toss)
    expect(await call('test.echo', { text: '' })).toMatchObject({ error: { code: 'too_quiet', message: 'Thrown.' } })
    expect(violations).toEqual([])
  })

  test('uses up the query and the rate, as a failed call does', async () => {
    const { call } = open(tooQuiet, { limits: { calls: { count: 1, windowMs: 60_000 } } })
    const query = startQuery()
    expect(codeOf(await call('test.echo', { text: '' }, { query }))).toBe('too_quiet')
    expect(codeOf(await call('test.echo', { text: 'a' }, { query }))).toBe('single_step')
    expect(codeOf(await call('test.echo', { text: 'a' }))).toBe('rate_limited')
  })
})

test('a call continues if validate finds nothing, and the ledger records the check', async () => {
  const { call, records, asked, runs } = open()
  const result = await call('test.echo', { text: 'a' })
  expect(codeOf(result)).toBe('success')
  expect((await records(result)).at(-1)!.checks).toMatchObject({ check: 'passed', approve: 'passed' })
  expect([asked.length, runs.length]).toEqual([1, 1])
})

test('a tool without validate needs no check', async () => {
  const { call, records } = openTestPipeline([defineEcho()])
  const [record] = await records(await call('test.echo', { text: 'a' }))
  expect(record!.checks).toMatchObject({ check: 'not_needed' })
})

test('what run checks itself is not checked twice where no person is asked', async () => {
  let looked = 0
  const validate: Tool['validate'] = () => {
    looked++
    return undefined
  }
  const openWith = (changes: Partial<ContractSource>) =>
    openTestPipeline([{ ...defineEcho(changes), validate, checkedByRun: true }], { approver: yes })
  const allowed = openWith({})
  const result = await allowed.call('test.echo', { text: 'a' })
  expect((await allowed.records(result))[0]!.checks).toMatchObject({ check: 'not_needed' })
  expect(looked).toBe(0)
  await openWith(asks).call('test.echo', { text: 'a' })
  expect(looked).toBe(1)
})

test('a denied caller learns nothing: validate does not run', async () => {
  let looked = false
  const look: Tool['validate'] = () => {
    looked = true
    return undefined
  }
  const policy = () => ({ readOnly: true })
  const { call } = open(look, asks, { policy })
  expect(codeOf(await call('test.echo', { text: '' }))).toBe('denied')
  expect(codeOf(await call('test.echo', { text: 5 }))).toBe('invalid_input')
  expect(looked).toBe(false)
})

test('a tool is handed the capabilities that it lists, and nothing is opened for one that lists none', async () => {
  const seen: unknown[] = []
  const look: Tool['validate'] = (input, context, capabilities) => {
    seen.push(input, Object.keys(context).sort(), context.caller, context.signal.aborted, capabilities)
    return undefined
  }
  const opened: unknown[] = []
  const capabilities = async (_call: Call, tool: NeedyTool) => ({ opened: opened.push(tool) })
  const tool = { ...defineEcho(), needs: ['files'], validate: look }
  expect(codeOf(await openTestPipeline([tool], { capabilities }).call('test.echo', { text: 'a' }))).toBe('success')
  const context = ['callId', 'caller', 'fail', 'signal']
  expect(seen).toEqual([{ text: 'a', times: 1 }, context, { name: 'tester' }, false, { opened: 1 }])
  const both = { toolId: 'test.echo', needs: ['files'] }
  expect(opened).toEqual([both, both])
  await openTestPipeline([{ ...defineEcho(), validate: look }], { capabilities }).call('test.echo', { text: 'a' })
  expect(opened).toHaveLength(2)
  expect(seen.at(-1)).toBeUndefined()
})

test('validate cannot change the call', async () => {
  const meddle: Tool['validate'] = (input) => {
    input.text = 'changed'
    return undefined
  }
  const { call, asked, runs, records } = open(meddle)
  const result = await call('test.echo', { text: 'a' })
  expect([asked[0]!.input.text, runs[0]!.text]).toEqual(['a', 'a'])
  expect((await records(result))[0]).toMatchObject({ input: { text: 'a' } })
})

test.each([
  ['throws', () => Promise.reject(new Error('MARKER')), 'internal', 'threw'],
  ['fails with a code that the contract does not declare', () => new ToolError('MARKER', 'x'), 'invalid_output', 'undeclared_error'], // biome-ignore format: one line
  ['returns a value', () => ({ said: 'MARKER' }), 'invalid_output', 'invalid_output'],
  ['returns null', () => null, 'invalid_output', 'invalid_output'],
  ['fails with too long a message', () => new ToolError('too_quiet', 'MARKER'.repeat(20_000)), 'invalid_output', 'invalid_output'], // biome-ignore format: one line
])(
  'a validate that %s breaks the contract: nothing runs, and the ledger says so',
  async (_what, validate, code, kind) => {
    const { call, records, violations, asked, runs, storage } = open(validate as never)
    const result = await call('test.echo', { text: 'a' })
    expect(result).toMatchObject({ ran: false, error: { code } })
    expect(JSON.stringify([result, await records(result)])).not.toContain('MARKER')
    expect(violations).toMatchObject([{ callId: result.callId, kind }])
    expect((await records(result)).at(-1)).toMatchObject({
      kind: 'refusal',
      violation: kind,
      checks: { check: 'failed' },
    })
    expect(toCalls(await storage.ledger.read())).toMatchObject([{ state: 'refused', violation: kind }])
    expect(await storage.evidence.get(result.callId)).toEqual(expect.any(String))
    expect([asked, runs]).toEqual([[], []])
  },
)

test('a validate that hangs ends with the time limit of the tool, and its signal is aborted', async () => {
  let signal: AbortSignal | undefined
  const hang: Tool['validate'] = (_input, context) => {
    signal = context.signal
    return new Promise(() => {})
  }
  const { call, asked, runs, violations } = open(hang, { ...asks, limits: { timeoutMs: 20 } })
  expect(await call('test.echo', { text: 'a' })).toMatchObject({
    ran: false,
    error: { code: 'timeout', message: "'test.echo' did not check the call within 0.02 s." },
  })
  expect(signal?.aborted).toBe(true)
  expect([asked, runs, violations]).toEqual([[], [], []])
})

test('a caller may cancel while validate runs', async () => {
  const controller = new AbortController()
  const hang: Tool['validate'] = () => {
    controller.abort()
    return new Promise(() => {})
  }
  const { call, asked, runs } = open(hang)
  expect(codeOf(await call('test.echo', { text: 'a' }, { signal: controller.signal }))).toBe('cancelled')
  expect([asked, runs]).toEqual([[], []])
})

test.each([true, false])('a call that has become impossible does not use its approval up (by id: %s)', async (byId) => {
  let possible = true
  const look: Tool['validate'] = (_input, { fail }) => (possible ? undefined : fail('too_quiet', 'Not now.'))
  const storage = openTestPipeline([]).storage
  const approver = createDeferringApprover({ approvals: storage.approvals, keepMs: 60_000 })
  const { call, runs } = open(look, asks, { storage, approver })
  const make = (approvalId?: string) => call('test.echo', { text: 'a' }, approvalId ? { approvalId } : {})
  const first = await make()
  const id = !first.success && first.error.approvalId
  if (!id) throw new Error('The call should wait for approval.')
  possible = false
  expect(codeOf(await make(byId ? id : undefined))).toBe('too_quiet')
  await storage.approvals.answer(id, { answer: 'yes', by: 'Ada' }, Date.now())
  expect(codeOf(await make(byId ? id : undefined))).toBe('too_quiet')
  possible = true
  expect(codeOf(await make(byId ? id : undefined))).toBe('success')
  expect(codeOf(await make(byId ? id : undefined))).toBe(byId ? 'approval_denied' : 'approval_required')
  expect(runs).toHaveLength(1)
})

function codeOf(result: CallResult): string {
  return result.success ? 'success' : result.error.code
}
