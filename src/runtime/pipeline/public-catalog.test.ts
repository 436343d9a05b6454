import { expect, test } from 'vitest'
import { defineEcho } from '../../../test/helpers/open-test-pipeline.ts'
import type { ContractSource } from '../../contract/contract.ts'
import { defineToolset } from '../../contract/define-toolset.ts'
import { publicCaller } from '../../contract/public-access.ts'
import { createCatalog } from './catalog.ts'
import { withPublicCaller } from './public-catalog.ts'

const open: Partial<ContractSource> = {
  summary: { access: 'Public', sideEffects: 'None' },
  limits: { calls: { count: 1, windowMs: 1000 } },
}
const define = (name: string, ...tools: [name: string, changes?: Partial<ContractSource>][]) =>
  defineToolset(
    name,
    tools.map(([name, changes]) => defineEcho({ name, ...changes })),
  )

function openCatalog() {
  return withPublicCaller(
    createCatalog({
      a: async () => define('a', ['hello', open], ['same', open], ['secret']),
      b: async () => define('b', ['hello'], ['same', open]),
    }),
  )
}

test('the public caller lists public tools alone, in one list while nothing changes', async () => {
  const catalog = openCatalog()
  const listed = await catalog.all(publicCaller)
  expect(listed.map(({ id }) => id)).toEqual(['a.hello', 'a.same', 'b.same'])
  expect(await catalog.all(publicCaller)).toBe(listed)
  expect(await catalog.all({ name: 'ada' })).toHaveLength(5)
  expect(await catalog.all()).toHaveLength(5)
})

test('other tools are unknown to it, before and after they are loaded', async () => {
  const catalog = openCatalog()
  for (let again = 0; again < 2; again++) {
    for (const name of ['a.secret', 'a_secret', 'secret', 'b.hello', 'a.secre'])
      expect(await catalog.find(name, publicCaller), name).toEqual({ kind: 'unknown' })
    expect(catalog.findLoaded('a.secret', publicCaller)).toBeUndefined()
    await catalog.all()
  }
  expect(catalog.findLoaded('a.secret', { name: 'ada' })).toMatchObject({ id: 'a.secret' })
  expect(catalog.findLoaded('a.hello', publicCaller)).toMatchObject({ id: 'a.hello' })
})

test('a bare name means the public tool of that name, or is ambiguous among public ones', async () => {
  const catalog = openCatalog()
  expect(await catalog.find('hello', publicCaller)).toMatchObject({ id: 'a.hello' })
  expect(await catalog.find('hello')).toMatchObject({ kind: 'ambiguous', ids: ['a.hello', 'b.hello'] })
  expect(await catalog.find('same', publicCaller)).toEqual({
    kind: 'ambiguous',
    choices: ['a_same', 'b_same'],
    ids: ['a.same', 'b.same'],
  })
})
