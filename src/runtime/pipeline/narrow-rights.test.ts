import { expect, test } from 'vitest'
import { createCatalog } from './catalog.ts'
import { narrow } from './narrow-rights.ts'
import { toCaller } from './to-caller.ts'

const contract = (name: string, risk: 'read_only' | 'safe_write') => ({
  contract: { name, risk, status: 'active', aliases: [], limits: {} },
})
const toolsetOf = (name: string) => ({
  name,
  description: '',
  tools: [contract('look', 'read_only'), contract('write', 'safe_write')],
})

function open(rights?: (id: string) => boolean) {
  const loaders = Object.fromEntries(['one', 'two'].map((name) => [name, async () => toolsetOf(name) as never]))
  const catalog = createCatalog(loaders, rights ? { rightsOf: () => rights } : {})
  const list = async (only: object) => (await catalog.all({ name: 'ci', only })).map(({ id }) => id)
  const find = async (name: string, only: object) => (await catalog.find(name, { name: 'ci', only })).kind
  return { catalog, list, find }
}

test.each([
  [{}, ['one.look', 'one.write', 'two.look', 'two.write']],
  [{ readOnly: true }, ['one.look', 'two.look']],
  [{ toolsets: ['two'] }, ['two.look', 'two.write']],
  [{ toolsets: ['two'], readOnly: true }, ['two.look']],
  [{ toolsets: ['on', 'two.look', '*', ''] }, []],
  [{ toolsets: [] }, []],
])('the scope %j lists and finds only what it permits', async (only, ids) => {
  const { list, find, catalog } = open()
  expect(await list(only)).toEqual(ids)
  for (const round of ['not loaded yet', 'loaded'])
    for (const id of ['one.look', 'one.write', 'two.look', 'two.write']) {
      for (const name of [id, id.replace('.', '_')])
        expect(await find(name, only), `${name} ${round}`).toBe(ids.includes(id) ? 'found' : 'unknown')
      expect(catalog.findLoaded(id, { name: 'ci', only: only as object }) !== undefined).toBe(ids.includes(id))
    }
})

test('a tool that was never listed is not found by its id either', async () => {
  expect(await open().find('one.write', { readOnly: true })).toBe('unknown')
  expect(await open().find('one_write', { readOnly: true })).toBe('unknown')
  expect(await open().find('write', { readOnly: true, toolsets: ['one'] })).toBe('unknown')
})

test('a scope gives nothing that the config does not', async () => {
  const { list, find } = open((id) => id === 'one.write')
  expect(await list({})).toEqual(['one.write'])
  expect(await list({ toolsets: ['one', 'two'] })).toEqual(['one.write'])
  expect(await list({ readOnly: true })).toEqual([])
  expect(await find('two.look', { toolsets: ['two'] })).toBe('unknown')
})

test('the same rights and scope have the same function, so that lists are cached', () => {
  const all = () => true
  expect(narrow(all, { toolsets: ['a'] })).toBe(narrow(all, { toolsets: ['a'] }))
  expect(narrow(all, { toolsets: ['a'] })).not.toBe(narrow(all, { toolsets: ['a'], readOnly: true }))
  expect(narrow(all, { toolsets: ['a,b'] })).not.toBe(narrow(all, { toolsets: ['a', 'b'] }))
})

test.each<[unknown, object]>([
  [{ readOnly: true }, { readOnly: true }],
  [{ toolsets: ['a', 7, 'b'] }, { toolsets: ['a', 'b'] }],
  [{ toolsets: 'a' }, { toolsets: [] }],
  [{ readOnly: false }, { readOnly: true }],
  ['all', { toolsets: [] }],
  [null, { toolsets: [] }],
])('a scope of the wrong type permits less, never more: %j', (only, kept) => {
  expect(toCaller({ name: 'ci', only: only as never })).toEqual({ name: 'ci', only: kept })
})
