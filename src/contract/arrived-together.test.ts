import { expect, test, vi } from 'vitest'
import { beginArrived, lookOnce } from './arrived-together.ts'

test('what calls that arrived together look up is looked up once for each key', () => {
  const look = vi.fn((key: string) => `${key} found`)
  const found: string[] = []
  beginArrived(() => {
    for (const key of ['a', 'b', 'a']) found.push(lookOnce(key, () => look(key)))
  })
  expect(found).toEqual(['a found', 'b found', 'a found'])
  expect(look.mock.calls).toEqual([['a'], ['b']])
})

test('what is absent is also looked up once', () => {
  const look = vi.fn(() => undefined)
  beginArrived(() => {
    lookOnce('a', look)
    lookOnce('a', look)
  })
  expect(look).toHaveBeenCalledOnce()
})

test('other calls look for themselves, also after a group that failed and after what it waits for', async () => {
  const look = vi.fn(() => 1)
  let later: Promise<number> | undefined
  beginArrived(() => {
    later = (async () => {
      lookOnce('a', look)
      await undefined
      return lookOnce('a', look)
    })()
  })
  await later
  expect(look).toHaveBeenCalledTimes(2)
  const failing = () =>
    beginArrived(() => {
      throw new Error('no')
    })
  expect(failing).toThrow('no')
  lookOnce('a', look)
  lookOnce('a', look)
  expect(look).toHaveBeenCalledTimes(4)
})
