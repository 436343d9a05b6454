import { expect, test } from 'vitest'
import { whenReady } from './when-ready.ts'

test('continues at once with a value, and later with a promise of any kind', async () => {
  const thenable = {
    // biome-ignore lint/suspicious/noThenProperty: the subject of this test
    then: (resolve: (value: number) => void) => void setImmediate(resolve, 3),
  } as unknown as PromiseLike<number>
  const double = (value: number) => value * 2
  expect(whenReady(1, double)).toBe(2)
  const later = [whenReady(Promise.resolve(2), double), whenReady(thenable, double)]
  expect(later.every((one) => one instanceof Promise)).toBe(true)
  expect(await Promise.all(later)).toEqual([4, 6])
})

test('rejects if the value does, and if what follows throws', async () => {
  const fail = () => {
    throw new Error('after')
  }
  await expect(whenReady(Promise.reject(new Error('before')), fail)).rejects.toThrow('before')
  await expect(whenReady(Promise.resolve(), fail)).rejects.toThrow('after')
})
