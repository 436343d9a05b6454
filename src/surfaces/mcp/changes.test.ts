import { expect, test } from 'vitest'
import { until } from '../../../test/helpers/open-changeling.ts'
import { defineEcho } from '../../../test/helpers/open-test-pipeline.ts'
import { defineToolset } from '../../contract/define-toolset.ts'
import { createCatalog } from '../../runtime/pipeline/catalog.ts'
import { createChanges } from './changes.ts'

const toLoader = () => async () => defineToolset('test', [defineEcho()])
const openChanging = () => createCatalog({ test: Object.assign(toLoader(), { settled: async () => {} }) })

function count() {
  const listener = {
    told: 0,
    ended: 0,
    keepsUp: true,
    notify: () => {
      if (listener.keepsUp) listener.told++
      return listener.keepsUp
    },
    end: () => void listener.ended++,
  }
  return listener
}

test('changes that come together are announced once, and later ones again', async () => {
  const catalog = openChanging()
  const changes = createChanges(catalog, { gatherMs: 5 })
  expect(changes.canChange).toBe(true)
  const listeners = [count(), count()]
  for (const listener of listeners) changes.listen(listener)
  for (let change = 0; change < 100; change++) catalog.reload('test')
  await until(() => listeners.every(({ told }) => told > 0))
  expect(listeners.map(({ told }) => told)).toEqual([1, 1])
  catalog.reload('test')
  await until(() => listeners.every(({ told }) => told === 2))
  changes.close()
})

test('a congested client is notified once it has caught up', async () => {
  const catalog = openChanging()
  const changes = createChanges(catalog, { gatherMs: 1, retryMs: 1 })
  const [slow, quick] = [count(), count()]
  slow.keepsUp = false
  changes.listen(slow)
  changes.listen(quick)
  catalog.reload('test')
  await until(() => quick.told === 1)
  expect(slow.told).toBe(0)
  slow.keepsUp = true
  await until(() => slow.told === 1)
  expect(quick.told).toBe(1)
  changes.close()
})

test('a listener that unsubscribed is not notified, and their number is limited', async () => {
  const catalog = openChanging()
  const changes = createChanges(catalog, { gatherMs: 1, max: 2 })
  const [gone, there, more] = [count(), count(), count()]
  const stop = changes.listen(gone)
  changes.listen(there)
  expect(changes.listen(more)).toBeUndefined()
  stop!()
  expect(changes.listen(more)).toBeDefined()
  catalog.reload('test')
  await until(() => there.told === 1 && more.told === 1)
  expect(gone.told).toBe(0)
  changes.close()
  expect([gone.ended, there.ended, more.ended]).toEqual([0, 1, 1])
  expect(changes.listen(gone)).toBeUndefined()
})

test('tools that never change are not followed', () => {
  expect(createChanges(createCatalog({ test: toLoader() })).canChange).toBe(false)
})

test('the list of one session is announced to that session alone, and at once', () => {
  const catalog = createCatalog({ test: toLoader() })
  const changes = createChanges(catalog, { bySession: true })
  expect(changes.canChange).toBe(true)
  const [one, other] = [count(), count()]
  changes.listen(Object.assign(one, { session: 'ada' }))
  changes.listen(Object.assign(other, { session: 'bob' }))
  changes.notifySession('ada')
  expect([one.told, other.told]).toEqual([1, 0])
  changes.close()
})
