import { describe, expect, test } from 'vitest'
// biome-ignore format: one line
import { defineEcho, openTestPipeline, openTestStorage, type TestOptions, yes } from '../../../test/helpers/open-test-pipeline.ts'
import type { CallFailure } from '../../contract/call-result.ts'
import { digest } from '../../contract/digest.ts'
import { type PipelineCode, pipelineErrors } from '../../contract/error-codes.ts'
import type { JsonObject } from '../../contract/json.ts'
import { RunPending } from '../../contract/run-part.ts'
import type { Tool } from '../../contract/tool.ts'
import type { CheckRecord, Ledger } from '../storage/storage.ts'
import type { Call } from './call.ts'
import { createCatalog } from './catalog.ts'
import { startQuery } from './queries.ts'

const upToInput = { resolve: 'passed', bound: 'passed', input: 'passed' } as const
const upToDecide = { ...upToInput, single_step: 'not_needed', rate: 'not_needed', decide: 'passed' } as const
const upToCheck = { ...upToDecide, check: 'not_needed' } as const
const upToIntent = { ...upToCheck, approve: 'not_needed', intent: 'passed' } as const

/** How a call ends with each code of the table, and what the ledger then holds. */
interface Scenario {
  readonly tools?: readonly Tool[]
  readonly options?: TestOptions
  readonly call?: Partial<Call>
  /** What happens before the call that is looked at. */
  readonly before?: (pipeline: ReturnType<typeof openTestPipeline>, call: Partial<Call>) => unknown
  readonly message: string | RegExp
  readonly suggestion?: string
  readonly checks: CheckRecord
  readonly runs?: number
  readonly asked?: number
  /** The ledger cannot be asked any more. */
  readonly closed?: boolean
}

const asks = { risk: 'safe_write' } as const
const aborted = AbortSignal.abort()
const usedQuery = startQuery()
const once = { limits: { calls: { count: 1, windowMs: 60_000 } } }

const scenarios: { readonly [code in PipelineCode]: Scenario } = {
  tool_not_found: {
    call: { tool: 'test.ecko' },
    message: "There is no tool 'test.ecko'.",
    suggestion: 'Did you mean test.echo?',
    checks: { resolve: 'failed' },
  },
  tool_ambiguous: {
    options: {
      catalog: {
        ...createCatalog({}),
        find: async () => ({ kind: 'ambiguous', choices: ['a_echo', 'b_echo'], ids: ['a.echo', 'b.echo'] }),
      },
    },
    call: { tool: 'echo' },
    message: "Several tools match the name 'echo'.",
    suggestion: 'Use one of a_echo, b_echo.',
    checks: { resolve: 'failed' },
  },
  toolset_unavailable: {
    options: {
      catalog: {
        ...createCatalog({}),
        find: async () => ({ kind: 'unavailable', toolset: 'test', fault: 'It has crashed.' }),
      },
    },
    message: "The tools of 'test' are not available. It has crashed.",
    checks: { resolve: 'failed' },
  },
  tool_withheld: {
    options: {
      catalog: {
        ...createCatalog({}),
        find: async (id) => ({ kind: 'withheld', id, reasons: ['its schema is open', 'it lies'] }),
      },
    },
    message: "'test.echo' is withheld: its schema is open; it lies.",
    checks: { resolve: 'failed' },
  },
  tool_planned: {
    tools: [defineEcho({ status: 'planned' })],
    message: "'test.echo' is planned and cannot be called yet.",
    checks: { resolve: 'failed' },
  },
  input_too_large: {
    tools: [defineEcho({ limits: { inputBytes: 100 } })],
    call: { input: { text: 'x'.repeat(100) } },
    message: /100/,
    checks: { resolve: 'passed', bound: 'failed' },
  },
  invalid_input: {
    call: { input: { text: 'a', times: 10 } },
    message: "The input does not match the contract of 'test.echo'.",
    checks: { resolve: 'passed', bound: 'passed', input: 'failed' },
  },
  single_step: {
    before: () => usedQuery.take(),
    call: { query: usedQuery },
    message: 'This query has already made its one call.',
    checks: { ...upToInput, single_step: 'failed' },
  },
  rate_limited: {
    tools: [defineEcho(once)],
    before: ({ call }) => call('test.echo', { text: 'first' }),
    message: "'test.echo' allows 1 calls in 60 s, and they are used up.",
    suggestion: 'Call again in 60 s.',
    checks: { ...upToInput, single_step: 'not_needed', rate: 'failed' },
    runs: 1,
  },
  scope_required: { call: { caller: { name: 'ada', lacks: { read_only: 'tools' } } }, message: "'test.echo' is read_only and needs a token with the scope tools.", checks: { resolve: 'failed' } }, // biome-ignore format: one line
  denied: {
    tools: [defineEcho(asks)],
    options: { policy: () => ({ readOnly: true }), approver: yes },
    message: "The policy denies 'test.echo'. Only read_only tools may run, and this one is safe_write.",
    checks: { ...upToDecide, decide: 'failed' },
  },
  not_read_only: {
    tools: [defineEcho(asks)],
    options: { approver: yes },
    call: { readOnly: true },
    message: "'test.echo' is safe_write, and this call may only read.",
    checks: { ...upToDecide, decide: 'failed' },
  },
  approval_denied: {
    tools: [defineEcho(asks)],
    options: { approver: async () => ({ answer: 'no', by: 'Ada' }) },
    message: "'test.echo' was not approved (answered by: Ada).",
    checks: { ...upToCheck, approve: 'failed' },
    asked: 1,
  },
  approval_timeout: {
    tools: [defineEcho(asks)],
    options: { approver: async () => ({ answer: 'timeout', by: 'terminal' }) },
    message: "No one answered whether 'test.echo' may run.",
    checks: { ...upToCheck, approve: 'failed' },
    asked: 1,
  },
  approval_queue_full: {
    tools: [defineEcho(asks)],
    options: {
      approver: async () => ({
        answer: 'full',
        by: 'Toolpact',
        limit: { scope: 'caller', unit: 'questions', max: 1000 },
      }),
    },
    message:
      "'test.echo' did not run, and no one was asked: 1000 questions about calls of this caller may be pending, and this one would exceed that.",
    suggestion:
      'A person must answer pending questions first: toolpact approvals lists them. toolpact approvals deny --all-from tester refuses all of this caller. Then call again.',
    checks: { ...upToCheck, approve: 'failed' },
    asked: 1,
  },
  approval_outdated: {
    tools: [defineEcho(asks)],
    options: { approver: yes, policy: () => ({ version: `${Math.random()}` }) },
    message: "'test.echo' did not run: what it would do changed each time before its approval could be used.",
    checks: { ...upToCheck, approve: 'failed' },
    asked: 3,
  },
  approval_required: {
    tools: [defineEcho(asks)],
    options: { approver: async () => ({ answer: 'later', by: 'nobody yet', id: '12345678-9' }) },
    message: "'test.echo' is waiting for a person's approval and has not run.",
    suggestion:
      'A person must run: toolpact approvals approve 12345678 (with --for-tool to allow later calls of the tool too). Then repeat the same call, unchanged: it runs without another question.',
    checks: { ...upToCheck, approve: 'failed' },
    asked: 1,
  },
  ledger_unavailable: {
    before: ({ storage }) => storage.close(),
    message: "'test.echo' did not run: the ledger could not record it.",
    checks: {},
    closed: true,
  },
  busy: {
    tools: [
      defineEcho({ limits: { concurrency: 1, timeoutMs: 2000 } }, ({ text }) =>
        text === 'held' ? hold() : { said: '' },
      ),
    ],
    before: async ({ call, runs }) => {
      for (let place = 0; place < 257; place++) void call('test.echo', { text: 'held' })
      while (runs.length === 0) await new Promise((resolve) => setTimeout(resolve, 1))
      await new Promise((resolve) => setTimeout(resolve, 50))
    },
    message: "Too many calls of 'test.echo' are waiting their turn.",
    checks: { ...upToIntent, run: 'failed' },
    runs: 1,
  },
  run_pending: {
    tools: [defineEcho({}, () => Promise.reject(new RunPending('The run continues.', 'Look later.')))],
    ...{ message: 'The run continues.', suggestion: 'Look later.', checks: { ...upToIntent, run: 'failed' }, runs: 1 },
  },
  timeout: {
    tools: [defineEcho({ limits: { timeoutMs: 20 } }, () => hold())],
    message: "'test.echo' did not finish within 0.02 s.",
    checks: { ...upToIntent, run: 'failed' },
    runs: 1,
  },
  cancelled: {
    call: { signal: aborted },
    message: 'The call was cancelled.',
    checks: upToInput,
  },
  invalid_output: {
    tools: [defineEcho({}, () => ({ said: 5 }))],
    message: "'test.echo' returned something that its contract does not allow.",
    checks: { ...upToIntent, run: 'passed', output: 'failed' },
    runs: 1,
  },
  output_too_large: {
    tools: [defineEcho({ limits: { outputBytes: 10 } })],
    message: "The output of 'test.echo' has more than 10 bytes, its limit (outputBytes).",
    suggestion:
      'Ask for less at once. To raise the limit, the operator sets {"limits":{"test.echo":{"outputBytes":20}}} in toolpact.json.',
    checks: { ...upToIntent, run: 'passed', output: 'failed' },
    runs: 1,
  },
  internal: {
    tools: [defineEcho({}, () => Promise.reject(new Error('secret')))],
    message: "'test.echo' failed unexpectedly.",
    checks: { ...upToIntent, run: 'failed' },
    runs: 1,
  },
}

describe.each(['memory', 'sqlite'] as const)('with %s storage', (storage) => {
  test.each(Object.entries(scenarios))('a call ends with %s, and the ledger says where', async (code, scenario) => {
    const { tools = [defineEcho()], call = {}, message, checks, runs = 0, asked = 0 } = scenario
    const pipeline = openTestPipeline(tools, { storage, ...scenario.options })
    await scenario.before?.(pipeline, call)
    const result = await pipeline.call('test.echo', { text: 'a' }, call)

    const { status, fixable, suggestion } = pipelineErrors[code as PipelineCode]
    expect(result).toMatchObject({
      success: false,
      tool: call.tool ?? 'test.echo',
      error: { code, status, fixable, suggestion: scenario.suggestion ?? suggestion },
    })
    expect((result as CallFailure).error.message).toMatch(message)
    expect(pipeline.runs).toHaveLength(runs)
    expect(pipeline.asked).toHaveLength(asked)
    if (scenario.closed) return
    const records = await pipeline.records(result)
    const ran = 'intent' in checks
    expect(result).toMatchObject({ ran: ran && code !== 'busy' })
    expect(records.map((record) => record.kind)).toEqual(ran ? ['intent', 'outcome'] : ['refusal'])
    expect(records.at(-1)).toMatchObject({ callId: result.callId, errorCode: code, durationMs: result.durationMs })
    expect(records.at(-1)!.checks).toEqual(checks)
    if (ran) expect(records[0]!.checks).toEqual(upToIntent)
    expect(await pipeline.storage.ledger.verify()).toMatchObject({ intact: true })
  })

  test('a call that succeeds leaves its intent and its outcome', async () => {
    const tool = defineEcho()
    const { call, records } = openTestPipeline([tool], { storage })
    const result = await call('echo', { text: 'ab' }, { caller: { name: 'Ada', session: 's1' } })
    expect(result).toEqual({
      success: true,
      callId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      tool: 'test.echo',
      output: { said: 'ab' },
      durationMs: expect.any(Number),
    })
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    expect(await records(result)).toEqual([
      {
        kind: 'intent',
        callId: result.callId,
        at,
        caller: { name: 'Ada', session: 's1' },
        tool: 'test.echo',
        contractDigest: digest(tool.contract),
        inputDigest: digest({ text: 'ab', times: 1 }),
        input: { text: 'ab', times: 1 },
        checks: upToIntent,
        decision: { action: 'allow', rule: 'contract', reason: 'The contract asks for no approval.' },
        approval: null,
      },
      {
        kind: 'outcome',
        callId: result.callId,
        at,
        tool: 'test.echo',
        success: true,
        errorCode: null,
        violation: null,
        durationMs: result.durationMs,
        checks: { ...upToIntent, run: 'passed', output: 'passed' },
      },
    ])
  })

  test('a refusal keeps what was asked, what was decided and who answered', async () => {
    const tool = defineEcho(asks)
    const { call, records } = openTestPipeline([tool], { storage })
    const result = await call('test.echo', { text: 'a' })
    expect(await records(result)).toEqual([
      {
        kind: 'refusal',
        callId: result.callId,
        at: expect.any(String),
        caller: { name: 'tester' },
        tool: 'test.echo',
        contractDigest: digest(tool.contract),
        inputDigest: digest({ text: 'a', times: 1 }),
        input: { text: 'a', times: 1 },
        checks: { ...upToCheck, approve: 'failed' },
        decision: { action: 'ask', rule: 'contract', reason: 'The contract asks for approval (risk: safe_write).' },
        approval: { answer: 'no', by: 'nobody' },
        errorCode: 'approval_denied',
        durationMs: result.durationMs,
      },
    ])
  })

  test('a failure that the contract declares is an outcome that passed its checks', async () => {
    const { call, records, violations } = openTestPipeline(
      [defineEcho({}, (_input, { fail }) => fail('too_quiet', 'I heard nothing.'))],
      { storage },
    )
    const result = await call('test.echo', { text: 'a' })
    expect(result).toMatchObject({
      error: { code: 'too_quiet', status: 422, fixable: true, message: 'I heard nothing.', suggestion: 'Speak up.' },
    })
    expect((await records(result)).at(-1)).toMatchObject({
      success: false,
      errorCode: 'too_quiet',
      violation: null,
      checks: { run: 'passed', output: 'passed' },
    })
    expect(violations).toEqual([])
  })

  test('nothing is acknowledged whose outcome could not be kept', async () => {
    const pipeline = openTestPipeline(
      [
        defineEcho({}, async () => {
          await pipeline.storage.close()
          return { said: 'done' }
        }),
      ],
      { storage },
    )
    expect(await pipeline.call('test.echo', { text: 'a' })).toMatchObject({
      success: false,
      error: {
        code: 'ledger_unavailable',
        message: "'test.echo' ran, but the ledger could not record how it ended.",
      },
    })
    expect(pipeline.violations).toMatchObject([{ kind: 'check_failed', raw: expect.any(Error) }])
  })

  test('nothing runs that could not be counted', async () => {
    const { call, storage: kept, runs } = openTestPipeline([defineEcho(once)], { storage })
    await kept.close()
    expect(await call('test.echo', { text: 'a' })).toMatchObject({
      error: { code: 'ledger_unavailable', message: "'test.echo' did not run: the call could not be counted." },
    })
    expect(runs).toEqual([])
  })
})

test('only what belongs to a call that changes something waits for the disk', async () => {
  const kept: unknown[] = []
  const storage = openTestStorage('memory')
  const ledger: Ledger = {
    ...storage.ledger,
    append(record, options) {
      kept.push([record.kind, options])
      return storage.ledger.append(record, options)
    },
  }
  const tools = [
    defineEcho(),
    defineEcho({ name: 'write', risk: 'safe_write' }),
    defineEcho({ name: 'rm', risk: 'dangerous' }),
  ]
  const { call } = openTestPipeline(tools, { storage: { ...storage, ledger }, approver: yes })
  for (const tool of ['echo', 'write', 'rm']) await call(tool, { text: 'a' })
  await call('rm', {})
  expect(kept).toEqual([
    ['intent', { durable: false }],
    ['outcome', { durable: false }],
    ['intent', { durable: true }],
    ['outcome', { durable: true }],
    ['intent', { durable: true }],
    ['outcome', { durable: true }],
    ['refusal', { durable: false }],
  ])
})

/** Never settles. */
function hold(): Promise<JsonObject> {
  return new Promise(() => {})
}
