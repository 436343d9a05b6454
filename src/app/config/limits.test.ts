import { expect, test } from 'vitest'
import { defineEcho } from '../../../test/helpers/open-test-pipeline.ts'
import type { Limits } from '../../contract/contract.ts'
import { defineToolset } from '../../contract/define-toolset.ts'
import { digest } from '../../contract/digest.ts'
import type { Config } from './config.ts'
import { findRaised, withLimits } from './limits.ts'

const limits = { calls: { count: 10, windowMs: 1000 }, timeoutMs: 1000, inputBytes: 100, outputBytes: 100 }
const toolset = defineToolset('mine', [defineEcho({ name: 'one', limits }), defineEcho({ name: 'two', limits })])
const loaders = { mine: async () => toolset }

async function limited(config: NonNullable<Config['limits']>, onlyLower = false): Promise<Limits[]> {
  const { mine } = withLimits(loaders, config, { onlyLower })
  return (await mine!()).tools.map(({ contract }) => contract.limits)
}

test('limits of the config go into the contract, those of the tool before those of its toolset', async () => {
  const [one, two] = await limited({
    'mine.*': { timeoutMs: 5000, concurrency: 3 },
    'mine.one': { timeoutMs: 2000, calls: { count: 1, windowMs: 1 } },
  })
  expect(one).toEqual({ ...limits, timeoutMs: 2000, concurrency: 3, calls: { count: 1, windowMs: 1 } })
  expect(two).toEqual({ ...limits, timeoutMs: 5000, concurrency: 3 })
})

test('a contract with other limits has another digest, and one without stays as it is', async () => {
  const { mine } = withLimits(loaders, { 'mine.one': { timeoutMs: 2000 } }, { onlyLower: false })
  const { tools } = await mine!()
  expect(digest(tools[0]!.contract)).not.toBe(digest(toolset.tools[0]!.contract))
  expect(tools[1]).toBe(toolset.tools[1])
  expect(Object.isFrozen(tools[0]!.contract.limits)).toBe(true)
})

test('an untrusted config can only lower limits, and the rest is reported', async () => {
  const config = {
    'mine.*': { timeoutMs: 5000, concurrency: 3, inputBytes: 50 },
    'mine.one': { outputBytes: 101, calls: { count: 5, windowMs: 500 } },
    'mine.two': { calls: { count: 5, windowMs: 1000 }, timeoutMs: 10 },
  }
  expect(await limited(config, true)).toEqual([
    { ...limits, concurrency: 3, inputBytes: 50 },
    { ...limits, concurrency: 3, inputBytes: 50, timeoutMs: 10, calls: { count: 5, windowMs: 1000 } },
  ])
  expect(await findRaised(config, loaders)).toEqual([
    'limits.mine.*.timeoutMs',
    'limits.mine.one.outputBytes',
    'limits.mine.one.calls',
  ])
})

test('a toolset that no limit names is not touched', () => {
  expect(withLimits(loaders, { 'other.*': { timeoutMs: 1 }, 'min.*': { timeoutMs: 1 } }, { onlyLower: false }).mine).toBe(loaders.mine) // biome-ignore format: one line
})
