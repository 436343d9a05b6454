import { expect, test } from 'vitest'
import { openTestStorage } from '../../../test/helpers/open-test-pipeline.ts'
import { createDataFlows } from './data-flows.ts'

const day = 86_400_000
const ada = { name: 'ada', session: 'one' }

function open(by: 'session' | 'caller', storage = openTestStorage('memory')) {
  const clock = { now: 1_000_000_000_000 }
  return { clock, storage, flows: createDataFlows({ by, notes: storage.notes, workspace: '/w', now: () => clock.now }) }
}

test('sessions and callers are kept apart', async () => {
  const { flows } = open('session')
  await flows.take(ada, ['private'], '.env')
  await flows.allow(ada, ['https://a.example'])
  expect(await flows.look(ada)).toEqual({
    who: 'This session',
    taken: { private: ['.env'], untrusted: [] },
    allowed: new Set(['https://a.example']),
  })
  for (const other of [
    { ...ada, session: 'two' },
    { ...ada, name: 'bob' },
  ])
    expect(await flows.look(other)).toMatchObject({ taken: { private: [] }, allowed: new Set() })
})

test('what was taken in is forgotten after a week, a yes after half a day, and neither before', async () => {
  const { flows, clock } = open('session')
  await flows.take(ada, ['private'], '.env')
  await flows.allow(ada, ['https://a.example'])
  clock.now += day / 2 - 1
  expect((await flows.look(ada)).allowed.size).toBe(1)
  clock.now += 1
  expect((await flows.look(ada)).allowed.size).toBe(0)
  clock.now += 6.5 * day - 1
  expect((await flows.look(ada)).taken.private).toEqual(['.env'])
  clock.now += 1
  expect((await flows.look(ada)).taken.private).toEqual([])
})

test('reading the same again makes it last longer', async () => {
  const { flows, clock } = open('session')
  await flows.take(ada, ['private'], '.env')
  clock.now += 6 * day
  await flows.take(ada, ['private'], '.env')
  clock.now += 6 * day
  expect((await flows.look(ada)).taken.private).toEqual(['.env'])
})

test('an approval dated in the future does not count', async () => {
  const { flows, clock } = open('session')
  await flows.allow(ada, ['https://a.example'])
  clock.now -= 1
  expect((await flows.look(ada)).allowed.size).toBe(0)
})

test('sources and receivers are bounded, and the newest yes stays', async () => {
  const { flows, clock } = open('session')
  for (const source of ['a', 'b', 'c', 'd', 'e']) await flows.take(ada, ['private'], source)
  expect((await flows.look(ada)).taken.private).toEqual(['a', 'b', 'c', '…'])
  for (let index = 0; index < 300; index++) {
    clock.now++
    await flows.allow(ada, [`https://h${index}.example`])
  }
  const { allowed } = await flows.look(ada)
  expect(allowed.size).toBe(256)
  expect([allowed.has('https://h299.example'), allowed.has('https://h0.example')]).toEqual([true, false])
})

test('calls at the same time lose nothing of each other', async () => {
  for (const by of ['session', 'caller'] as const) {
    const { flows } = open(by)
    await Promise.all([
      flows.take(ada, ['private'], '.env'),
      flows.take(ada, ['untrusted'], 'a page'),
      flows.allow(ada, ['https://a.example']),
    ])
    const { taken, allowed } = await flows.look(ada)
    expect([taken.private, taken.untrusted, allowed.size]).toEqual([['.env'], ['a page'], 1])
  }
})

test('a caller is the same in every session and every process', async () => {
  const { flows, storage } = open('caller')
  await flows.take(ada, ['private'], '.env')
  const other = open('caller', storage).flows
  expect(await other.look({ name: 'ada' })).toMatchObject({ who: 'This caller', taken: { private: ['.env'] } })
})
