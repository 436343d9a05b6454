import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../../test/open-test-pipeline.ts'
import { loadHandler } from './load-handler.ts'

test('a handler that never gets ready is given up', async () => {
  const folder = makeFolder()
  writeFileSync(join(folder, 'slow.mjs'), 'await new Promise(() => {})\nexport const run = () => ({})\n')
  const loaded = await loadHandler({ folder, names: ['slow.mjs'], stem: 'slow', mostMs: 20 })
  expect(loaded).toBe('Its handler slow.mjs cannot be loaded: it was not ready after 20 ms')
})

test('a module that has run is preferred to a default export, and gives its preview along', async () => {
  const folder = makeFolder()
  const text = 'export default () => 1\nexport const run = () => 2\nexport const preview = () => 3\n'
  writeFileSync(join(folder, 'both.mjs'), text)
  const loaded = await loadHandler({ folder, names: ['both.mjs'], stem: 'both' })
  if (typeof loaded === 'string') throw new Error(loaded)
  const calls = Object.values(loaded) as unknown as (() => unknown)[]
  expect(calls.map((call) => call())).toEqual([2, 3])
})
