import { expect, test } from 'vitest'
import { settle } from '../../../test/helpers/open-test-pipeline.ts'
import { ToolError } from '../../contract/tool-error.ts'
import { createLimiter } from './limiter.ts'
import { runBounded } from './run-bounded.ts'

const bounds = { timeoutMs: 60_000, limiter: undefined, cancel: undefined }

test('gives what a run returns or throws', async () => {
  const error = new ToolError('a', 'b')
  expect(await runBounded(() => ({ a: 1 }), bounds)).toEqual({ end: 'returned', value: { a: 1 } })
  expect(await runBounded(async () => ({ a: 1 }), bounds)).toEqual({ end: 'returned', value: { a: 1 } })
  expect(await runBounded(() => toss('x'), bounds)).toEqual({ end: 'threw', cause: 'x' })
  expect(await runBounded(() => toss(error), bounds)).toEqual({ end: 'returned', value: error })
})

test('ends at the timeout, and aborts the run', async () => {
  let reason: unknown
  const run = (signal: AbortSignal) => {
    signal.addEventListener('abort', () => {
      reason = signal.reason
    })
    return new Promise(() => {})
  }
  expect(await runBounded(run, { ...bounds, timeoutMs: 10 })).toEqual({ end: 'timeout' })
  expect(reason).toMatchObject({ name: 'AbortError', message: 'The time is over' })
})

test('what a run does before it begins to wait is a part of its time', async () => {
  const run = () => {
    for (const end = performance.now() + 60; performance.now() < end; );
    return new Promise((resolve) => setTimeout(resolve, 30, 'done'))
  }
  expect(await runBounded(run, { ...bounds, timeoutMs: 50 })).toEqual({ end: 'timeout' })
})

test('a run that obeys its signal by throwing has still timed out or been cancelled', async () => {
  const obey = (signal: AbortSignal) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  expect(await runBounded(obey, { ...bounds, timeoutMs: 10 })).toEqual({ end: 'timeout' })
  const controller = new AbortController()
  const running = runBounded(obey, { ...bounds, cancel: controller.signal })
  controller.abort()
  expect(await running).toEqual({ end: 'cancelled' })
})

test('a run is not started for a caller that has cancelled', async () => {
  let ran = false
  const end = await runBounded(() => (ran = true), { ...bounds, cancel: AbortSignal.abort() })
  expect(end).toEqual({ end: 'cancelled' })
  expect(ran).toBe(false)
})

test('a time limit that no timer can hold is not over at once', async () => {
  const run = () => new Promise((resolve) => setTimeout(resolve, 20, 'done'))
  expect(await runBounded(run, { ...bounds, timeoutMs: 2 ** 40 })).toEqual({ end: 'returned', value: 'done' })
  expect(await runBounded(run, { ...bounds, timeoutMs: Number.POSITIVE_INFINITY })).toMatchObject({ value: 'done' })
})

test('a run whose turn comes as its caller cancels does not start, and leaves its place', async () => {
  const limiter = createLimiter(1)
  const leave = await limiter.enter(new AbortController().signal)
  const controller = new AbortController()
  let ran = false
  const running = runBounded(() => (ran = true), { ...bounds, limiter, cancel: controller.signal })
  await settle()
  leave!()
  controller.abort()
  expect(await running).toEqual({ end: 'cancelled' })
  await settle()
  expect(ran).toBe(false)
  expect(await runBounded(() => 'next', { ...bounds, limiter })).toEqual({ end: 'returned', value: 'next' })
})

test('a synchronous run needs no waiting, unless it returns a promise', async () => {
  expect(runBounded(() => ({ a: 1 }), bounds)).toEqual({ end: 'returned', value: { a: 1 } })
  // biome-ignore lint/suspicious/noThenProperty: what `await` would wait for is waited for here too
  const thenable = { then: (resolve: (value: unknown) => void) => resolve({ a: 2 }) }
  expect(await runBounded(() => thenable, bounds)).toEqual({ end: 'returned', value: { a: 2 } })
})

test('a run whose caller cancels while it starts was cancelled, whatever it returns', async () => {
  for (const returned of [{ a: 1 }, new Promise(() => {}), Promise.resolve({ a: 1 })]) {
    const controller = new AbortController()
    let signal: AbortSignal | undefined
    const run = (own: AbortSignal) => {
      signal = own
      controller.abort()
      return returned
    }
    expect(await runBounded(run, { ...bounds, cancel: controller.signal })).toEqual({ end: 'cancelled' })
    expect(signal?.reason).toMatchObject({ name: 'AbortError', message: 'The call was cancelled' })
  }
})

function toss(value: unknown): never {
  throw value
}
