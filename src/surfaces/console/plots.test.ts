import { expect, test } from 'vitest'
import { openConsole } from '../../../test/helpers/open-console.ts'
import { defineEcho } from '../../../test/helpers/open-test-pipeline.ts'
import { defineToolset } from '../../contract/define-toolset.ts'

const toolset = defineToolset('test', [
  defineEcho(),
  defineEcho({ name: 'ask', approval: 'ask' }),
  defineEcho({ name: 'broken' }, () => ({ sad: 1 })),
])

test.each([
  ['1h', 60, 60_000],
  ['24h', 96, 900_000],
  ['7d', 84, 7_200_000],
  ['30d', 120, 21_600_000],
])('plots the calls of %s in about %d buckets', async (range, buckets, bucketMs) => {
  const { signIn, toolpact, ask } = await openConsole({ toolsets: [toolset] })
  const { get } = await signIn('Ada', ['view'])
  for (const text of ['a', 'b']) await toolpact.call('test.echo', { text })
  await toolpact.call('test.broken', { text: 'a' })
  await ask('test.ask', { text: 'a' })
  const data = (await get(`plots?range=${range}`)).json
  expect(data).toMatchObject({ range, bucketMs, violations: [{ server: 'test', count: 1 }] })
  expect(data.refusals).toEqual([{ code: 'approval_required', count: 1 }])
  expect(data.times.length - buckets).toBeOneOf([0, 1])
  expect(data.times.at(-1) * 1000).toBeLessThanOrEqual(Date.now())
  const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0)
  const { succeeded, failed, refused } = data.outcomes
  expect([succeeded, failed, refused].map(sum)).toEqual([2, 1, 1])
  for (const values of [succeeded, data.tools[0].p95, data.approvals.perHundred, data.approvals.waitMs])
    expect(values).toHaveLength(data.times.length)
  expect(data.tools[0]).toMatchObject({ tool: 'test.echo', calls: 2 })
  expect(data.tools[0].p50.filter((value: number | null) => value !== null).length).toBeGreaterThan(0)
  expect(Math.max(...data.approvals.perHundred)).toBeGreaterThanOrEqual(25)
})

test('refuses an unknown range', async () => {
  const { get } = await (await openConsole()).signIn()
  expect((await get('plots?range=1y')).json).toMatchObject({ status: 400, code: 'invalid_request' })
  expect((await get('plots')).json.range).toBe('24h')
})
