import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import { loadHandler } from './load-handler.ts'

test('a handler that never gets ready is given up', async () => {
  const folder = makeFolder()
  writeFileSync(join(folder, 'slow.mjs'), 'await new Promise(() => {})\nexport const run = () => ({})\n')
  const loaded = await loadHandler({ folder, names: ['slow.mjs'], stem: 'slow', maxMs: 20 })
  expect(loaded).toBe('Its handler slow.mjs cannot be loaded: it was not ready after 20 ms')
})

test('run takes precedence over a default export, and validate and preview are loaded with it', async () => {
  const folder = makeFolder()
  const lines = ['export default () => 1', 'export const run = () => 2', 'export const preview = () => 3']
  writeFileSync(join(folder, 'both.mjs'), [...lines, 'export const validate = () => 4'].join('\n'))
  const loaded = await loadHandler({ folder, names: ['both.mjs'], stem: 'both' })
  if (typeof loaded === 'string') throw new Error(loaded)
  const { run, preview, validate } = loaded as unknown as { [name: string]: () => unknown }
  expect([run!(), preview!(), validate!()]).toEqual([2, 3, 4])
})

test.each([
  [
    'export const run = (input, context, { files }) => ({})',
    "uses.mjs takes capabilities and lists none. Write: export const needs = ['files']",
  ],
  [
    'export const run = () => ({})\nexport const preview = (input, { files }) => ({})',
    "uses.mjs takes capabilities and lists none. Write: export const needs = ['files']",
  ],
  [
    'export const needs = "files"\nexport const run = () => ({})',
    "The needs in uses.mjs are not a list of names. Write: export const needs = ['files']",
  ],
])('a handler that takes capabilities must list them: %s', async (text, problem) => {
  const folder = makeFolder()
  writeFileSync(join(folder, 'uses.mjs'), text)
  expect(await loadHandler({ folder, names: ['uses.mjs'], stem: 'uses' })).toBe(problem)
})

test('what a handler needs is loaded with it', async () => {
  const folder = makeFolder()
  writeFileSync(
    join(folder, 'uses.mjs'),
    "export const needs = ['files']\nexport const run = (...rest) => rest.length\n",
  )
  expect(await loadHandler({ folder, names: ['uses.mjs'], stem: 'uses' })).toMatchObject({ needs: ['files'] })
})
