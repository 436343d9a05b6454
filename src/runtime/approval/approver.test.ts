import { describe, expect, test } from 'vitest'
import { defineEcho, openTestPipeline, openTestStorage, settle, yes } from '../../../test/helpers/open-test-pipeline.ts'
import type { CallResult } from '../../contract/call-result.ts'
import { digest } from '../../contract/digest.ts'
import type { JsonObject } from '../../contract/json.ts'
import type { RuleProposal } from '../../contract/rule.ts'
import type { Approval, IntentRecord } from '../storage/storage.ts'
import { toEffects } from './approval-request.ts'
import { type ApprovalAnswer, type Approver, denyAll, toDenier } from './approver.ts'

const writes = defineEcho({ risk: 'safe_write', effects: { writes: ['text'] } })

test('an approver sees the contract, the canonical input, the effects and the reason', async () => {
  const { call, asked, records } = openTestPipeline([writes], { approver: yes })
  const result = await call('echo', { times: 2, text: 'a' }, { caller: { name: 'Ada' } })
  expect(asked).toEqual([
    {
      callId: result.callId,
      questionId: result.callId,
      caller: { name: 'Ada' },
      contract: writes.contract,
      input: { text: 'a', times: 2 },
      canonicalInput: '{"text":"a","times":2}',
      binding: {
        tool: 'test.echo',
        contractDigest: digest(writes.contract),
        inputDigest: digest({ text: 'a', times: 2 }),
        caller: 'Ada',
        workspace: '',
        policyDigest: expect.stringMatching(/^sha256:/),
        previewDigest: expect.stringMatching(/^sha256:/),
      },
      effects: { reads: [], writes: ['a'], fetches: [], runs: [] },
      reason: 'The contract asks for approval (risk: safe_write).',
      foresee: expect.any(Function),
      offerRules: expect.any(Function),
      countApprovals: expect.any(Function),
    },
  ])
  expect(result).toMatchObject({ output: { said: 'aa' } })
  expect(await records(result)).toMatchObject([
    { kind: 'intent', checks: { approve: 'passed' }, approval: { answer: 'yes', by: 'a test' } },
    { kind: 'outcome' },
  ])
})

test('effects show whatever a field holds', () => {
  const { contract } = defineEcho({ effects: { reads: ['from', 'more'], writes: ['to'], runs: ['command'] } })
  const input: JsonObject = { from: ['a', ['b']], to: { path: 'c' }, command: 'ls', text: 'd' }
  expect(toEffects(contract, input)).toEqual({ reads: ['a', 'b'], writes: ['{"path":"c"}'], fetches: [], runs: ['ls'] })
})

test('a yes without a name is a yes, and the ledger says so', async () => {
  const { call, records } = openTestPipeline([writes], { approver: async () => ({ answer: 'yes' }) as never })
  const result = await call('test.echo', { text: 'a' })
  expect(codeOf(result)).toBe('success')
  expect((await records(result))[0]).toMatchObject({ approval: { answer: 'yes', by: 'an approver without a name' } })
})

test('the ledger says how long a person took, and nothing of it where no one was asked', async () => {
  const approver: Approver = async () => {
    await new Promise((resolve) => setTimeout(resolve, 30))
    return { answer: 'yes', by: 'Ada' }
  }
  for (const isBlind of [false, true]) {
    const asking = Object.assign(approver.bind(null), { isBlind })
    const { call, records } = openTestPipeline([writes], { approver: asking })
    const [intent] = await records(await call('test.echo', { text: 'a' }))
    const { waitedMs } = (intent as IntentRecord).approval!
    expect(typeof waitedMs).toBe(isBlind ? 'undefined' : 'number')
  }
})

test('a call that needs no approval asks no one', async () => {
  const { call, asked } = openTestPipeline([defineEcho()], { approver: yes })
  await call('test.echo', { text: 'a' })
  expect(asked).toEqual([])
})

test('without anyone to ask, the answer is no', async () => {
  const { call, runs } = openTestPipeline([writes])
  expect(await call('test.echo', { text: 'a' })).toMatchObject({
    error: { code: 'approval_denied', message: "'test.echo' was not approved (answered by: nobody)." },
  })
  expect(runs).toEqual([])
})

test.each([
  ['denyAll', denyAll, 'nobody'],
  ['a denier with a reason', toDenier('a script'), 'a script'],
])('%s refuses without computing a preview', async (_name, approver, by) => {
  let previews = 0
  const preview = () => {
    previews += 1
    return {}
  }
  const { call } = openTestPipeline([{ ...writes, preview }], { approver })
  expect(await call('test.echo', { text: 'a' })).toMatchObject({
    error: { code: 'approval_denied', message: expect.stringContaining(`answered by: ${by})`) },
  })
  expect(previews).toBe(0)
})

test('rules are offered where they would decide and can be saved, and not where a mode asks anyway', async () => {
  const offered = async (options: Parameters<typeof openTestPipeline>[1]) => {
    const { call, asked } = openTestPipeline([writes], { approver: yes, ...options })
    await call('test.echo', { text: 'a' })
    return (await asked[0]!.offerRules()).map(({ width }) => width)
  }
  const saveRule = async () => {}
  expect(await offered({ saveRule })).toContain('exact')
  expect(await offered({ saveRule, policy: () => ({ askAll: true }) })).toEqual([])
  expect(await offered({})).toEqual([])
})

describe('a yes with a rule', () => {
  const rule = { tool: 'test.echo', pattern: '*' }
  const approver = async (): Promise<ApprovalAnswer> => ({ answer: 'yes', by: 'Ada', rule })

  test('saves the rule before the call runs', async () => {
    const order: (RuleProposal | string)[] = []
    const tool = defineEcho({ risk: 'safe_write' }, () => {
      order.push('ran')
      return { said: '' }
    })
    const { call } = openTestPipeline([tool], { approver, saveRule: async (saved) => void order.push(saved) })
    expect(await call('test.echo', { text: 'a' })).toMatchObject({ success: true })
    expect(order).toEqual([rule, 'ran'])
  })

  test.each([
    ['cannot be saved', () => Promise.reject(new Error('disk full'))],
    ['has no place', undefined],
  ])('does not run if the rule %s', async (_why, saveRule) => {
    const { call, runs, records, violations } = openTestPipeline([writes], { approver, saveRule })
    const result = await call('test.echo', { text: 'a' })
    expect(result).toMatchObject({
      error: {
        code: 'ledger_unavailable',
        message: "'test.echo' did not run: it was approved, but the rule could not be saved.",
      },
    })
    expect(runs).toEqual([])
    expect(await records(result)).toMatchObject([
      { kind: 'refusal', checks: { approve: 'failed' }, approval: { answer: 'yes', by: 'Ada' } },
    ])
    expect(violations).toMatchObject([{ kind: 'check_failed', raw: expect.any(Error) }])
  })

  test('saves nothing along with a no', async () => {
    const saved: RuleProposal[] = []
    const { call } = openTestPipeline([writes], {
      approver: async () => ({ answer: 'no', by: 'Ada', rule }),
      saveRule: async (rule) => void saved.push(rule),
    })
    await call('test.echo', { text: 'a' })
    expect(saved).toEqual([])
  })
})

describe('a caller that cancels while a person is asked', () => {
  test('gets its answer though the approver never answers', async () => {
    const controller = new AbortController()
    const signals: AbortSignal[] = []
    const { call, runs, records } = openTestPipeline([writes], {
      approver: (_request, signal) => {
        signals.push(signal)
        controller.abort()
        return new Promise(() => {})
      },
    })
    const result = await call('test.echo', { text: 'a' }, { signal: controller.signal })
    expect(result).toMatchObject({ error: { code: 'cancelled' } })
    expect(signals[0]!.aborted).toBe(true)
    expect(runs).toEqual([])
    expect(await records(result)).toMatchObject([
      { kind: 'refusal', checks: { approve: 'failed' }, approval: { answer: 'no', by: 'the caller, who cancelled' } },
    ])
  })

  test('is not run by a yes that comes with or after it', async () => {
    for (const late of [false, true]) {
      const controller = new AbortController()
      const answer = Promise.withResolvers<ApprovalAnswer>()
      const { call, runs } = openTestPipeline([writes], { approver: () => answer.promise })
      const calling = call('test.echo', { text: 'a' }, { signal: controller.signal })
      for (let turn = 0; turn < 5; turn++) await settle()
      if (!late) answer.resolve({ answer: 'yes', by: 'Ada' })
      controller.abort()
      expect(codeOf(await calling)).toBe('cancelled')
      answer.resolve({ answer: 'yes', by: 'Ada' })
      await settle()
      expect(runs).toEqual([])
    }
  })
})

describe.each(['memory', 'sqlite'] as const)('an approval granted before, with %s storage,', (kind) => {
  const input = { text: 'a', times: 2 }

  async function open(changes: Partial<Approval> = {}, tool = writes) {
    const storage = openTestStorage(kind)
    const pipeline = openTestPipeline([tool], { storage, approver: yes })
    // What a call of the tool as it was is bound to.
    const before = openTestPipeline([writes], { storage, approver: async () => ({ answer: 'no', by: 'nobody' }) })
    await before.call('test.echo', input)
    const { binding } = before.asked[0]!
    await storage.approvals.grant({ id: 'a1', by: 'Ada', expiresAt: Date.now() + 60_000, ...binding, ...changes })
    const use = (value: unknown = input, approvalId = 'a1') => pipeline.call('test.echo', value, { approvalId })
    return { ...pipeline, use }
  }

  test('lets its call run once, whatever the order of keys, and nobody is asked', async () => {
    const { use, asked, runs, records } = await open()
    const result = await use({ times: 2, text: 'a' })
    expect(codeOf(result)).toBe('success')
    expect((await records(result))[0]).toMatchObject({ approval: { answer: 'yes', by: 'Ada', id: 'a1' } })
    const again = await use()
    expect(codeOf(again)).toBe('approval_denied')
    expect((await records(again))[0]).toMatchObject({ kind: 'refusal', approval: { answer: 'no' } })
    expect(runs).toHaveLength(1)
    expect(asked).toEqual([])
  })

  test('is for no other input, and stays for its own', async () => {
    const { use, runs } = await open()
    expect(codeOf(await use({ text: 'b', times: 2 }))).toBe('approval_denied')
    expect(codeOf(await use())).toBe('success')
    expect(runs).toEqual([input])
  })

  test.each([
    ['another contract', {}, defineEcho({ risk: 'safe_write', effects: { writes: ['text'] }, description: 'Says more.' }), 'the contract of the tool has changed since'], // biome-ignore format: one line
    ['another folder', { workspace: '/elsewhere' }, writes, 'it was given for another folder'],
    ['other rules', { policyDigest: 'other' }, writes, 'the rules or policy settings have changed since'],
    ['another preview', { previewDigest: 'other' }, writes, 'what the call would change, or where, has changed since'],
    ['an earlier time', { expiresAt: Date.now() - 1 }, writes, 'it has expired'],
  ])('is not for %s: the call is asked about again, and the question says why', async (_what, changes, tool, why) => {
    const { use, asked, runs } = await open(changes, tool)
    expect(codeOf(await use())).toBe('success')
    expect(asked).toHaveLength(1)
    expect(asked[0]!.reason).toContain(`An earlier yes to this call does not count: ${why}.`)
    expect(runs).toHaveLength(1)
  })

  test.each([
    ['tool', { tool: 'other.echo' }],
    ['caller', { caller: 'somebody else' }],
  ])('is for no other %s, and no one is told of it', async (_what, changes) => {
    const { use, asked } = await open(changes)
    expect(codeOf(await use())).toBe('approval_denied')
    expect(asked).toEqual([])
  })

  test('must exist', async () => {
    const { use, asked } = await open()
    expect(codeOf(await use(input, 'a2'))).toBe('approval_denied')
    expect(asked).toEqual([])
  })

  test('is used by exactly one of the calls that race for it', async () => {
    const { use, runs } = await open()
    const results = await Promise.all(Array.from({ length: 8 }, () => use()))
    expect(results.map(codeOf).filter((code) => code === 'success')).toHaveLength(1)
    expect(runs).toHaveLength(1)
  })

  test('is not used up by a call that was cancelled or denied', async () => {
    const { call, use } = await open()
    expect(codeOf(await call('test.echo', input, { approvalId: 'a1', signal: AbortSignal.abort() }))).toBe('cancelled')
    expect(codeOf(await use({ text: 5 }))).toBe('invalid_input')
    expect(codeOf(await use())).toBe('success')
  })

  test('that cannot be looked up lets nothing run', async () => {
    const { use, storage, runs } = await open()
    await storage.close()
    expect(await use()).toMatchObject({
      error: { code: 'ledger_unavailable', message: "'test.echo' did not run: its approval could not be looked up." },
    })
    expect(runs).toEqual([])
  })
})

test.each([
  ['the rules change', { policy: true }, 'the rules or policy settings have changed since'],
  ['the preview changes', { preview: true }, 'what the call would change, or where, has changed since'],
])('if %s between question and answer, the call is asked about again', async (_what, change, why) => {
  let [version, text] = ['1', 'before']
  const tool = { ...writes, preview: () => ({ changes: [{ path: 'a', before: text, after: 'after' }] }) }
  const shown: unknown[] = []
  const approver: Approver = async (request) => {
    shown.push((await request.foresee()).changes[0]!.lines)
    if (shown.length === 1 && 'policy' in change) version = '2'
    if (shown.length === 1 && 'preview' in change) text = 'changed meanwhile'
    return { answer: 'yes', by: 'Ada' }
  }
  const { call, asked, runs, records } = openTestPipeline([tool], { approver, policy: () => ({ version }) })
  const result = await call('test.echo', { text: 'a' })
  expect(result.success).toBe(true)
  expect(asked).toHaveLength(2)
  expect(asked[1]!.reason).toContain(why)
  expect(asked[1]!.questionId).not.toBe(asked[0]!.questionId)
  expect(JSON.stringify(shown[1])).toContain(text)
  expect(runs).toHaveLength(1)
  expect((await records(result))[0]).toMatchObject({ approval: { answer: 'yes', note: expect.stringContaining(why) } })
})

test('a call that is denied by now does not run, though it was approved', async () => {
  let readOnly = false
  const approver: Approver = async () => {
    readOnly = true
    return { answer: 'yes', by: 'Ada' }
  }
  const { call, runs } = openTestPipeline([writes], { approver, policy: () => ({ readOnly }) })
  expect(codeOf(await call('test.echo', { text: 'a' }))).toBe('denied')
  expect(runs).toEqual([])
})

test('a process holds only so many bytes of calls that people are asked about, of one caller and in total', async () => {
  const tool = defineEcho({ risk: 'safe_write', limits: { inputBytes: 67_108_864 } })
  const answer = Promise.withResolvers<ApprovalAnswer>()
  const { call, asked } = openTestPipeline([tool], { approver: () => answer.promise })
  const ask = (name: string, length = 12_000_000) =>
    call('test.echo', { text: 'x'.repeat(length) }, { caller: { name } })
  const pending = [ask('a'), ask('a')]
  await expect.poll(() => asked.length, { timeout: 20_000 }).toBe(2)
  expect(await ask('a')).toMatchObject({
    ran: false,
    error: {
      code: 'approval_queue_full',
      message: expect.stringContaining('32 MiB'),
      suggestion: expect.stringContaining('A call with a smaller input may still fit.'),
    },
  })
  pending.push(ask('b'), ask('a', 9_554_300))
  await expect.poll(() => asked.length, { timeout: 20_000 }).toBe(4)
  expect(await ask('a', 200)).toMatchObject({ error: { suggestion: expect.not.stringContaining('smaller input') } })
  answer.resolve({ answer: 'no', by: 'Ada' })
  expect((await Promise.all(pending)).map(codeOf)).toEqual(Array(4).fill('approval_denied'))
  expect(codeOf(await ask('a'))).toBe('approval_denied')
})

function codeOf(result: CallResult): string {
  return result.success ? 'success' : result.error.code
}
