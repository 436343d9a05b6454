import { getEventListeners } from 'node:events'
import { describe, expect, test, vi } from 'vitest'
import { defineEcho, openTestPipeline, settle, yes } from '../../../test/helpers/open-test-pipeline.ts'
import type { CallResult } from '../../contract/call-result.ts'
import type { JsonObject } from '../../contract/json.ts'

describe('at most so many run at once', () => {
  test('and the others wait in the order in which they came', async () => {
    let inside = 0
    let most = 0
    const order: unknown[] = []
    const tool = defineEcho({ limits: { concurrency: 3 } }, async ({ text }) => {
      most = Math.max(most, ++inside)
      order.push(text)
      await new Promise((resolve) => setTimeout(resolve, 1 + (Number(text) % 3)))
      inside--
      return { said: String(text) }
    })
    const { call } = openTestPipeline([tool])
    const numbers = Array.from({ length: 50 }, (_, number) => String(number))
    const results = await Promise.all(numbers.map((text) => call('test.echo', { text })))
    expect(results.map((result) => result.success && result.output.said)).toEqual(numbers)
    expect(order).toEqual(numbers)
    expect(most).toBe(3)
  })

  test('of one tool: another has a limiter of its own', async () => {
    const held = defineEcho({ limits: { concurrency: 1 } }, () => hold())
    const { call } = openTestPipeline([held, defineEcho({ name: 'other', limits: { concurrency: 1 } })])
    void call('test.echo', { text: 'a' })
    expect(codeOf(await call('test.other', { text: 'a' }))).toBe('success')
  })

  test('a failed run gives its place back', async () => {
    const tool = defineEcho({ limits: { concurrency: 1 } }, () => {
      throw new Error('broken')
    })
    const { call } = openTestPipeline([tool])
    for (let round = 0; round < 3; round++) expect(codeOf(await call('test.echo', { text: 'a' }))).toBe('internal')
  })

  test('a call that waits too long times out and never runs', async () => {
    const releases: (() => void)[] = []
    const tool = defineEcho({ limits: { concurrency: 1, timeoutMs: 100 } }, ({ text }) => {
      return new Promise((resolve) => releases.push(() => resolve({ said: String(text) })))
    })
    const { call, runs, records } = openTestPipeline([tool])
    const held = call('test.echo', { text: 'held' })
    const waited = await call('test.echo', { text: 'waited' })
    expect(codeOf(waited)).toBe('timeout')
    expect((await records(waited)).map((record) => record.kind)).toEqual(['intent', 'outcome'])
    expect(codeOf(await held)).toBe('timeout')
    // The run ignored its signal: its call is over, but no other may run until it ends.
    const blocked = await call('test.echo', { text: 'blocked' })
    expect(codeOf(blocked)).toBe('timeout')
    expect(runs.map((input) => input.text)).toEqual(['held'])
    releases[0]!()
    await settle()
    const free = call('test.echo', { text: 'free' })
    await vi.waitFor(() => expect(releases).toHaveLength(2), { timeout: 60_000 })
    releases[1]!()
    expect(await free).toMatchObject({ output: { said: 'free' } })
    expect(runs.map((input) => input.text)).toEqual(['held', 'free'])
  })

  test('a call that is cancelled while it waits never runs', async () => {
    let release = () => {}
    const tool = defineEcho({ limits: { concurrency: 1 } }, ({ text }) => {
      return new Promise((resolve) => {
        release = () => resolve({ said: String(text) })
      })
    })
    const { call, runs } = openTestPipeline([tool])
    const held = call('test.echo', { text: 'held' })
    const controller = new AbortController()
    const waiting = call('test.echo', { text: 'waiting' }, { signal: controller.signal })
    await vi.waitFor(() => expect(runs).toHaveLength(1), { timeout: 60_000 })
    await settle()
    controller.abort()
    expect(codeOf(await waiting)).toBe('cancelled')
    release()
    expect(codeOf(await held)).toBe('success')
    await settle()
    expect(runs).toHaveLength(1)
  })
})

describe('a time-out', () => {
  test.each([
    ['never settles', () => hold()],
    ['returns late', () => later({ said: 'late' })],
    ['throws late', () => later(new Error('late'))],
  ])('ends the call of a tool that %s', async (_how, run) => {
    const { call, records, violations } = openTestPipeline([defineEcho({ limits: { timeoutMs: 20 } }, run)])
    const result = await call('test.echo', { text: 'a' })
    expect(result).toMatchObject({ error: { code: 'timeout', status: 504 } })
    await new Promise((resolve) => setTimeout(resolve, 80))
    expect(violations).toEqual([])
    expect((await records(result)).map((record) => record.kind)).toEqual(['intent', 'outcome'])
  })

  test('aborts the signal of the tool', async () => {
    let signal: AbortSignal | undefined
    const { call } = openTestPipeline([
      defineEcho({ limits: { timeoutMs: 20 } }, (_input, context) => {
        signal = context.signal
        return hold()
      }),
    ])
    await call('test.echo', { text: 'a' })
    expect(signal!.aborted).toBe(true)
  })

  test('does not abort the signal of a tool that ended in time', async () => {
    let signal: AbortSignal | undefined
    const { call } = openTestPipeline([
      defineEcho({ limits: { timeoutMs: 20 } }, (_input, context) => {
        signal = context.signal
        return { said: '' }
      }),
    ])
    await call('test.echo', { text: 'a' })
    await new Promise((resolve) => setTimeout(resolve, 40))
    expect(signal!.aborted).toBe(false)
  })
})

describe('a caller that cancels', () => {
  test('before the call leaves a refusal', async () => {
    const { call, runs, records } = openTestPipeline([defineEcho()])
    const result = await call('test.echo', { text: 'a' }, { signal: AbortSignal.abort() })
    expect(codeOf(result)).toBe('cancelled')
    expect(runs).toEqual([])
    expect(await records(result)).toMatchObject([{ kind: 'refusal', inputDigest: expect.any(String) }])
  })

  test('while the call is counted prevents the question', async () => {
    const controller = new AbortController()
    const tool = defineEcho({ risk: 'safe_write', limits: { calls: { count: 5, windowMs: 1000 } } })
    const { call, asked } = openTestPipeline([tool], {
      approver: yes,
      policy: () => {
        controller.abort()
        return {}
      },
    })
    expect(codeOf(await call('test.echo', { text: 'a' }, { signal: controller.signal }))).toBe('cancelled')
    expect(asked).toEqual([])
  })

  test('before the intent is recorded leaves a refusal', async () => {
    const controller = new AbortController()
    const { call, records } = openTestPipeline([defineEcho()], {
      policy: () => {
        controller.abort()
        return {}
      },
    })
    const result = await call('test.echo', { text: 'a' }, { signal: controller.signal })
    expect(await records(result)).toMatchObject([{ kind: 'refusal', errorCode: 'cancelled' }])
  })

  test('while the intent is recorded leaves an outcome, and the tool does not run', async () => {
    const controller = new AbortController()
    const { call, runs, records } = openTestPipeline([defineEcho()], {
      redact: (value) => {
        controller.abort()
        return value
      },
    })
    const result = await call('test.echo', { text: 'a' }, { signal: controller.signal })
    expect(codeOf(result)).toBe('cancelled')
    expect(runs).toEqual([])
    expect(await records(result)).toMatchObject([{ kind: 'intent' }, { kind: 'outcome', errorCode: 'cancelled' }])
  })

  test('while the tool runs is answered at once, and the tool is aborted', async () => {
    const controller = new AbortController()
    let signal: AbortSignal | undefined
    const { call, records, violations } = openTestPipeline([
      defineEcho({}, (_input, context) => {
        signal = context.signal
        setTimeout(() => controller.abort('changed my mind'), 5)
        return later({ said: 'late' }, 60)
      }),
    ])
    const result = await call('test.echo', { text: 'a' }, { signal: controller.signal })
    expect(result).toMatchObject({ error: { code: 'cancelled', status: 499 } })
    expect(signal!.aborted).toBe(true)
    await new Promise((resolve) => setTimeout(resolve, 80))
    expect(violations).toEqual([])
    expect((await records(result)).map((record) => record.kind)).toEqual(['intent', 'outcome'])
  })

  test('after the end changes nothing, and nothing listens to it any more', async () => {
    const controller = new AbortController()
    const { call } = openTestPipeline([defineEcho({ risk: 'safe_write' })], { approver: yes })
    const result = await call('test.echo', { text: 'a' }, { signal: controller.signal })
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
    controller.abort()
    expect(codeOf(result)).toBe('success')
  })
})

describe('a rate limit', () => {
  const limits = { calls: { count: 2, windowMs: 60_000 } }

  test('is exact at the end of its window', async ({ onTestFinished }) => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 })
    onTestFinished(() => void vi.useRealTimers())
    const { call } = openTestPipeline([defineEcho({ limits })])
    const at = async (ms: number) => {
      vi.setSystemTime(1_800_000_000_000 + ms)
      const result = await call('test.echo', { text: 'a' })
      return result.success ? 'success' : result.error.retryAfterMs
    }
    expect(await at(0)).toBe('success')
    expect(await at(10_000)).toBe('success')
    expect(await at(10_000)).toBe(50_000)
    expect(await at(59_999)).toBe(1)
    expect(await at(60_000)).toBe('success')
    expect(await at(60_000)).toBe(10_000)
    expect(await at(69_999)).toBe(1)
    expect(await at(70_000)).toBe('success')
  })

  test('is per caller and tool, whatever the session', async () => {
    const { call } = openTestPipeline([defineEcho({ limits }), defineEcho({ name: 'other', limits })])
    const as = async (name: string, tool = 'test.echo', session = 's') =>
      codeOf(await call(tool, { text: 'a' }, { caller: { name, session } }))
    expect([await as('Ada'), await as('Ada', 'echo', 't'), await as('Ada', 'test.echo', 'u')]).toEqual([
      'success',
      'success',
      'rate_limited',
    ])
    expect(await as('Bob')).toBe('success')
    expect(await as('Ada', 'test.other')).toBe('success')
  })

  test.each(['memory', 'sqlite'] as const)('lets exactly its count pass at once, with %s storage', async (storage) => {
    const { call, runs } = openTestPipeline([defineEcho({ limits })], { storage })
    const results = await Promise.all(Array.from({ length: 20 }, () => call('test.echo', { text: 'a' })))
    expect(results.filter((result) => result.success)).toHaveLength(2)
    expect(runs).toHaveLength(2)
  })

  test('counts calls that fail', async () => {
    const { call } = openTestPipeline([defineEcho({ limits }, (_input, { fail }) => fail('too_quiet', 'Nothing.'))])
    const codes = [1, 2, 3].map(async () => codeOf(await call('test.echo', { text: 'a' })))
    expect((await Promise.all(codes)).sort()).toEqual(['rate_limited', 'too_quiet', 'too_quiet'])
  })
})

function codeOf(result: CallResult): string {
  return result.success ? 'success' : result.error.code
}

/** Never settles. */
function hold(): Promise<JsonObject> {
  return new Promise(() => {})
}

/** Ignores every signal. */
function later(value: JsonObject | Error, ms = 50): Promise<JsonObject> {
  return new Promise((resolve, reject) => {
    setTimeout(() => (value instanceof Error ? reject(value) : resolve(value)), ms)
  })
}
