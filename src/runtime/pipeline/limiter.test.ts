import { expect, test } from 'vitest'
import { settle } from '../../../test/helpers/open-test-pipeline.ts'
import { createLimiter } from './limiter.ts'

const never = new AbortController().signal

test('lets its width through, and the others in the order in which they came', async () => {
  const limiter = createLimiter(2)
  const order: number[] = []
  const leaves: (() => void)[] = []
  for (let number = 0; number < 5; number++) {
    void limiter.enter(never).then((leave) => {
      order.push(number)
      leaves.push(leave!)
    })
  }
  await settle()
  expect(order).toEqual([0, 1])
  leaves[1]!()
  await settle()
  expect(order).toEqual([0, 1, 2])
  leaves[0]!()
  leaves[2]!()
  await settle()
  expect(order).toEqual([0, 1, 2, 3, 4])
})

test('is free again after all have left', async () => {
  const limiter = createLimiter(1)
  for (let round = 0; round < 3; round++) {
    const leave = await limiter.enter(never)
    leave!()
  }
})

test('256 may wait, and the next is refused immediately', async () => {
  const limiter = createLimiter(1)
  const leave = await limiter.enter(never)
  const waiting = Array.from({ length: 256 }, () => limiter.enter(never))
  expect(await limiter.enter(never)).toBeUndefined()
  leave!()
  const next = await waiting[0]
  expect(next).toBeTypeOf('function')
  const late = limiter.enter(never)
  expect(await limiter.enter(never)).toBeUndefined()
  next!()
  for (const enter of [...waiting.slice(1), late]) (await enter)!()
})

test('one that gives up leaves the queue, and takes no place with it', async () => {
  const limiter = createLimiter(1)
  const leave = await limiter.enter(never)
  const controller = new AbortController()
  const gaveUp = limiter.enter(controller.signal)
  const waited = limiter.enter(never)
  controller.abort(new Error('enough'))
  await expect(gaveUp).rejects.toThrow('enough')
  leave!()
  const next = await waited
  next!()
  expect(await limiter.enter(never)).toBeTypeOf('function')
})

test('a run that gives up after its turn does not remove another from the queue', async () => {
  const limiter = createLimiter(1)
  const leave = await limiter.enter(never)
  const controller = new AbortController()
  const had = limiter.enter(controller.signal)
  const waited = limiter.enter(never)
  leave!()
  controller.abort()
  const next = await had
  next!()
  expect(await waited).toBeTypeOf('function')
})

test('one that has given up already does not enter', async () => {
  const limiter = createLimiter(1)
  await expect(limiter.enter(AbortSignal.abort())).rejects.toThrow()
  expect(await limiter.enter(never)).toBeTypeOf('function')
})
