import { expect, test } from 'vitest'
import { defineEcho } from '../../../test/helpers/open-test-pipeline.ts'
import { defineToolset } from '../../contract/define-toolset.ts'
import { createCatalog } from './catalog.ts'
import { withUnlisted } from './unlisted-toolset.ts'

function open(server = 'server') {
  const theirs = defineToolset(server, [defineEcho({ name: 'find' }), defineEcho({ name: 'more' })])
  const rightsOf = () => (id: string) => id.endsWith('.more')
  const ours = defineToolset('own', [defineEcho({ name: 'find', description: 'Ours.' })])
  let loads = 0
  const load = async () => {
    loads++
    return ours
  }
  const catalog = withUnlisted(createCatalog({ [server]: async () => theirs }, { rightsOf }), { name: 'own', load })
  return { catalog, loads: () => loads }
}

const caller = { name: 'ada' }

test('a tool that is not listed can be called by its id, whatever rights the caller has', async () => {
  const { catalog } = open()
  expect((await catalog.all()).map(({ id }) => id)).toEqual(['server.find', 'server.more'])
  expect(catalog.findLoaded('own.find', caller)).toBeUndefined()
  expect(await catalog.find('own.find', caller)).toMatchObject({ kind: 'found', id: 'own.find' })
  expect(catalog.findLoaded('own.find', caller)).toMatchObject({ id: 'own.find' })
  expect(await catalog.find('server.find', caller)).toMatchObject({ kind: 'unknown' })
  expect(await catalog.find('own.other', caller)).toMatchObject({ kind: 'unknown' })
})

test('it is loaded only for names of its own', async () => {
  const { catalog, loads } = open()
  await catalog.find('server.more', caller)
  expect(catalog.findLoaded('server.more', caller)).toMatchObject({ id: 'server.more' })
  expect(loads()).toBe(0)
})

test('a server of the same name cannot take its place', async () => {
  const { catalog } = open('own')
  await catalog.all()
  expect(catalog.findLoaded('own.find')).toBeUndefined()
  expect(await catalog.find('own.find')).toMatchObject({ tool: { contract: { description: 'Ours.' } } })
  expect(await catalog.find('own.more')).toMatchObject({ kind: 'found', id: 'own.more' })
})
