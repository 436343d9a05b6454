import fc from 'fast-check'
import { expect, test } from 'vitest'
import { admitAll, listLimits } from './admit-all.ts'
import type { Verdict } from './verdict.ts'

const context = { server: 'rows', settings: { withoutOutputSchema: 'opaque' } } as const

test('one bad tool withholds itself only, and the order stays', async () => {
  const { tools, unread } = await admitAll([tool('a'), { name: 'b' }, null, tool('c')], context)
  expect(states(tools)).toEqual(['a admitted', 'b withheld', '(unnamed) withheld', 'c admitted'])
  expect(unread).toBeUndefined()
})

test('a duplicate definition is one tool; two different ones of the same name are both withheld', async () => {
  const repeated = await admitAll([tool('a'), tool('a'), tool('b')], context)
  expect(states(repeated.tools)).toEqual(['a admitted', 'a withheld', 'b admitted'])
  const differing = await admitAll([tool('a'), tool('a', 'Something else.'), tool('b')], context)
  expect(states(differing.tools)).toEqual(['a withheld', 'a withheld', 'b admitted'])
  expect(differing.tools[0]).toMatchObject({ reasons: [{ code: 'name_repeated' }] })
})

test.each([
  ['read_file', 'read-file'],
  ['read_file', 'readFile'],
  ['read.file', 'READ_FILE'],
  ['list_all', '1ist_a11'],
  ['list_all', 'Iist_aII'],
  ['log_out', 'l0g_0ut'],
  ['turn_on', 'tum_on'],
  ['view_row', 'vievv_row'],
])('%s and %s are indistinguishable: neither is admitted', async (first, second) => {
  const { tools } = await admitAll([tool(first), tool(second, 'Something else.'), tool('other')], context)
  expect(states(tools)).toEqual([`${first} withheld`, `${second} withheld`, 'other admitted'])
  expect(tools[0]).toMatchObject({ reasons: [{ code: 'name_confusable', message: expect.stringContaining(second) }] })
})

test('the operator can choose one of two that look alike', async () => {
  const list = [tool('read_file'), tool('readFile')]
  const chosen = await admitAll(list, { server: 'rows', settings: { ...context.settings, tools: ['readFile'] } })
  expect(states(chosen.tools)).toEqual(['read_file withheld', 'readFile admitted'])
  const excluded = await admitAll(list, { server: 'rows', settings: { ...context.settings, exclude: ['readFile'] } })
  expect(states(excluded.tools)).toEqual(['read_file admitted', 'readFile withheld'])
})

test('an invalid name does not block other tools', async () => {
  const { tools } = await admitAll([tool('search'), tool('sеarch'), tool('搜索'), tool('搜')], context)
  expect(states(tools).filter((state) => state.endsWith('admitted'))).toEqual(['search admitted'])
})

test('the lock is asked about each tool by name', async () => {
  const lockOf = (name: string) => (name === 'b' ? ({ state: 'differs', changes: ['risk'] } as const) : undefined)
  const { tools } = await admitAll([tool('a'), tool('b')], { ...context, lockOf })
  expect(states(tools)).toEqual(['a admitted', 'b withheld'])
})

test('a list that is too long is read up to the limit, and the rest is counted', async () => {
  const list = Array.from({ length: listLimits.tools + 5 }, (_, index) => tool(`tool_${index}x`))
  const { tools, unread } = await admitAll(list, context)
  expect(tools).toHaveLength(listLimits.tools)
  expect(unread).toMatchObject({ count: 5, reason: { code: 'list_too_long' } })
  const heavy = Array.from({ length: 60 }, (_, index) => tool(`tool_${index}x`, 'x'.repeat(500_000)))
  const bounded = await admitAll(heavy, context)
  expect(bounded.tools.length).toBeLessThan(40)
  expect(bounded.tools.length + bounded.unread!.count).toBe(60)
})

test('any list of JSON gives a verdict for each of its entries', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.jsonValue({ maxDepth: 3 })), async (list) => {
      expect((await admitAll(list, context)).tools).toHaveLength(list.length)
    }),
    { numRuns: 100 },
  )
})

function tool(name: string, description = 'Reads something.') {
  return { name, description, inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }
}

function states(tools: readonly Verdict[]): string[] {
  return tools.map(({ name, state }) => `${name} ${state}`)
}
