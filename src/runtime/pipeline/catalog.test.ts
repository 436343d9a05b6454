import { expect, test } from 'vitest'
import { defineEcho } from '../../../test/helpers/open-test-pipeline.ts'
import { defineToolset } from '../../contract/define-toolset.ts'
import { toAliases } from '../../contract/listed-names.ts'
import type { Toolset } from '../../contract/tool.ts'
import { createCatalog } from './catalog.ts'

const named = (...names: string[]) => names.map((name) => defineEcho({ name }))
const one = defineToolset('one', named('shared', 'only.one'))
const two = defineToolset('two', named('shared', 'second'))

function open() {
  const loads: string[] = []
  const load = (toolset: Toolset) => async () => {
    loads.push(toolset.name)
    return toolset
  }
  return { catalog: createCatalog({ one: load(one), two: load(two) }), loads }
}

test('a full id loads its own toolset only, once', async () => {
  const { catalog, loads } = open()
  expect(await catalog.find('one.shared')).toEqual({
    kind: 'found',
    id: 'one.shared',
    name: 'one_shared',
    functionName: 'one_shared',
    toolset: 'one',
    toolsetDescription: 'The tools of one.',
    tool: one.tools[0],
  })
  await Promise.all([catalog.find('one.only.one'), catalog.find('one.shared')])
  expect(loads).toEqual(['one'])
})

test('a bare name is enough where it is unique, dots or not', async () => {
  const { catalog } = open()
  expect(await catalog.find('second')).toMatchObject({ kind: 'found', id: 'two.second' })
  expect(await catalog.find('only.one')).toMatchObject({ kind: 'found', id: 'one.only.one' })
})

test('a bare name that is shared gives the choices', async () => {
  const { catalog } = open()
  expect(await catalog.find('shared')).toEqual({
    kind: 'ambiguous',
    choices: ['one_shared', 'two_shared'],
    ids: ['one.shared', 'two.shared'],
  })
})

test('an unknown name gives the nearest, if one is near', async () => {
  const { catalog } = open()
  expect(await catalog.find('two.secnd')).toEqual({ kind: 'unknown', nearest: 'two.second' })
  expect(await catalog.find('two_secnd')).toEqual({ kind: 'unknown', nearest: 'two_second' })
  expect(await catalog.find('secnd')).toEqual({ kind: 'unknown', nearest: 'second' })
  expect(await catalog.find('nothing-like-it')).toEqual({ kind: 'unknown' })
})

test.each([
  '',
  '.',
  'one.',
  '.shared',
  '__proto__',
  '__proto__.shared',
  'constructor.name',
  'one.constructor',
  'ONE.shared',
])('%j is no tool', async (name) => {
  const { catalog } = open()
  expect(await catalog.find(name)).toMatchObject({ kind: 'unknown' })
})

test('all tools come in the order of the toolsets', async () => {
  const { catalog } = open()
  expect((await catalog.all()).map(({ id }) => id)).toEqual(['one.shared', 'one.only.one', 'two.shared', 'two.second'])
})

test('a toolset that could not be loaded is tried again', async () => {
  let tries = 0
  const catalog = createCatalog({
    one: async () => {
      if (tries++ === 0) throw new Error('not yet')
      return one
    },
  })
  await expect(catalog.find('one.shared')).rejects.toThrow('not yet')
  expect(await catalog.find('one.shared')).toMatchObject({ kind: 'found' })
})

test('a tool is listed by its bare name where there is one toolset, else with its toolset', async () => {
  const alone = createCatalog({ one: async () => one })
  expect((await alone.all()).map(({ name }) => name)).toEqual(['shared', 'only_one'])
  expect((await open().catalog.all()).map(({ name }) => name)).toEqual([
    'one_shared',
    'one_only_one',
    'two_shared',
    'two_second',
  ])
})

test('dotted names are listed where the operator wants them; functions keep names that models accept', async () => {
  const names = { names: 'dotted' } as const
  const both = createCatalog({ one: async () => one, two: async () => two }, names)
  expect((await both.all()).map(({ name }) => name)).toEqual(['one.shared', 'one.only.one', 'two.shared', 'two.second'])
  expect((await both.all()).map(({ functionName }) => functionName)).toContain('one_only_one')
  expect(await both.find('one_only_one')).toMatchObject({ kind: 'found', id: 'one.only.one' })
  const alone = createCatalog({ one: async () => one }, names)
  expect((await alone.all()).map(({ name }) => name)).toEqual(['shared', 'only.one'])
  expect(await alone.find('only_one')).toMatchObject({ kind: 'found', id: 'one.only.one' })
})

test('a listed name loads its own toolset only', async () => {
  const { catalog, loads } = open()
  expect(await catalog.find('one_only_one')).toMatchObject({ kind: 'found', id: 'one.only.one' })
  expect(catalog.findLoaded('one_only_one')).toMatchObject({ id: 'one.only.one' })
  expect(loads).toEqual(['one'])
})

test('names that a client remembers stay valid when toolsets come or go', async () => {
  const both = open().catalog
  const alone = createCatalog({ one: async () => one })
  const [suffixed, bareSuffixed] = toAliases('one', 'only.one').filter((name) => /_[0-9a-f]{10}$/.test(name))
  for (const name of ['one.only.one', 'one_only_one', 'only.one', 'only_one', suffixed!, bareSuffixed!])
    for (const catalog of [both, alone])
      expect(await catalog.find(name), name).toMatchObject({ kind: 'found', id: 'one.only.one' })
})

test('tools whose names would coincide are listed apart, and what both could mean is ambiguous', async () => {
  const twins = defineToolset('twins', named('a.b', 'a_b'))
  const catalog = createCatalog({ twins: async () => twins, one: async () => one })
  const names = (await catalog.all()).slice(0, 2).map(({ name }) => name)
  expect(names).toEqual([expect.stringMatching(/^twins_a_b_[0-9a-f]{10}$/), expect.stringMatching(/^twins_a_b_[0-9a-f]{10}$/)]) // biome-ignore format: one line
  expect(await catalog.find(names[1]!)).toMatchObject({ id: 'twins.a_b' })
  expect(await catalog.find('twins_a_b')).toMatchObject({ kind: 'ambiguous', choices: names })
  for (const each of [catalog, createCatalog({ twins: async () => twins })])
    expect(await each.find('a_b')).toMatchObject({ kind: 'found', id: 'twins.a_b' })
})

test('the longer name of a toolset owns what begins with it', async () => {
  const short = defineToolset('git', named('hub_push', 'pull'))
  const long = defineToolset('git_hub', named('push'))
  const catalog = createCatalog({ git: async () => short, git_hub: async () => long })
  const [ofShort, pull, ofLong] = (await catalog.all()).map(({ name }) => name)
  expect([pull, ofLong]).toEqual(['git_pull', 'git_hub_push'])
  expect(ofShort).toMatch(/^git_hub_push_[0-9a-f]{10}$/)
  expect(await catalog.find('git_hub_push')).toMatchObject({ id: 'git_hub.push' })
  const before = createCatalog({ git: async () => short, two: async () => two })
  expect(await before.find('git_hub_push')).toMatchObject({ id: 'git.hub_push' })
  expect(await before.find(ofShort!)).toMatchObject({ id: 'git.hub_push' })
})

test('what a caller may not use is unknown to it, by every name', async () => {
  const mayUse = (id: string) => id !== 'one.shared'
  const catalog = createCatalog(
    { one: async () => one, two: async () => two },
    { rightsOf: ({ name }) => (name === 'guest' ? mayUse : undefined) },
  )
  const guest = { name: 'guest' }
  expect((await catalog.all(guest)).map(({ id }) => id)).toEqual(['one.only.one', 'two.shared', 'two.second'])
  for (const name of ['one.shared', 'one_shared', ...toAliases('one', 'shared')])
    expect(await catalog.find(name, guest), name).toMatchObject({ kind: 'unknown' })
  expect(catalog.findLoaded('one_shared', guest)).toBeUndefined()
  expect(await catalog.find('shared', guest)).toMatchObject({ kind: 'found', id: 'two.shared' })
  expect(await catalog.find('one.shared', { name: 'other' })).toMatchObject({ kind: 'found' })
  expect(await catalog.all()).toHaveLength(4)
})

test('the list is the same one while nothing changes', async () => {
  const { catalog } = open()
  expect(await catalog.all()).toBe(await catalog.all({ name: 'anybody' }))
})

test('a tool that is withheld gives the reasons, by every name, and is not listed', async () => {
  const withheld = [{ name: 'shady', reasons: ['it hides something'] }]
  const catalog = createCatalog({ one: async () => ({ ...one, withheld }) })
  const expected = { kind: 'withheld', id: 'one.shady', reasons: ['it hides something'] }
  expect(await catalog.find('one.shady')).toEqual(expected)
  expect(await catalog.find('shady')).toEqual(expected)
  expect(await catalog.find('one_shady')).toEqual(expected)
  expect((await catalog.all()).map(({ name }) => name)).not.toContain('shady')
})

test('a toolset that cannot be reached says so for any of its tools, and leaves the others alone', async () => {
  const away = { name: 'away', description: 'Away.', tools: [], fault: 'it has crashed' }
  const catalog = createCatalog({ away: async () => away, one: async () => one })
  for (const name of ['away.x', 'away_x'])
    expect(await catalog.find(name)).toEqual({ kind: 'unavailable', toolset: 'away', fault: 'it has crashed' })
  expect(await catalog.find('one.shared')).toMatchObject({ kind: 'found' })
  expect(await catalog.all()).toHaveLength(2)
})

test.each(['one.shared', 'one_shared'])(
  'a list does not wait for tools that come later; a call of %s does',
  async (name) => {
    let tools: Toolset['tools'] = []
    const load = Object.assign(async () => ({ ...one, tools }), {
      async settled() {
        tools = one.tools
        catalog.reload('one')
      },
    })
    const catalog = createCatalog({ one: load, two: async () => two })
    expect((await catalog.all()).map(({ id }) => id)).toEqual(['two.shared', 'two.second'])
    expect(await catalog.find(name)).toMatchObject({ kind: 'found', id: 'one.shared' })
    expect(await catalog.all()).toHaveLength(4)
  },
)

test('listeners are notified of a change, until they unsubscribe', async () => {
  const { catalog, loads } = open()
  let told = 0
  const stop = catalog.onChange(() => told++)
  const before = await catalog.all()
  catalog.reload('one')
  expect(await catalog.all()).not.toBe(before)
  expect(loads).toEqual(['one', 'two', 'one'])
  stop()
  catalog.reload('one')
  expect(told).toBe(1)
})

test('what is loaded is found at once, and only by whom and as `find` would', async () => {
  const { catalog } = open()
  expect(catalog.findLoaded('one.shared')).toBeUndefined()
  const names = ['one.shared', 'two.second', 'second', 'shared', 'only.one', 'one.', '.shared', '__proto__', 'one.constructor'] // biome-ignore format: one list
  const found = await Promise.all(names.map((name) => catalog.find(name)))
  expect(names.map((name) => catalog.findLoaded(name))).toEqual([found[0], found[1], ...Array(7).fill(undefined)])
  catalog.reload('one')
  expect(catalog.findLoaded('one.shared')).toBeUndefined()
  expect(catalog.findLoaded('two.second')).toBe(found[1])

  const alone = createCatalog({ one: async () => one }, { rightsOf: () => (id) => id !== 'one.only.one' })
  expect(alone.findLoaded('shared')).toBeUndefined()
  const shared = await alone.find('shared')
  expect(alone.findLoaded('shared', { name: 'guest' })).toBe(shared)
  expect(alone.findLoaded('one.only.one', { name: 'guest' })).toBeUndefined()
})

test('a toolset that comes after it was reloaded is not taken for the new one', async () => {
  const { promise: late, resolve } = Promise.withResolvers<Toolset>()
  const loads = [late, Promise.resolve({ ...one, tools: [] })]
  const catalog = createCatalog({ one: () => loads.shift()! })
  const before = catalog.find('one.shared')
  catalog.reload('one')
  expect(await catalog.find('one.shared')).toMatchObject({ kind: 'unknown' })
  resolve(one)
  expect(await before).toMatchObject({ kind: 'found' })
  expect(catalog.findLoaded('one.shared')).toBeUndefined()
})

test('replace swaps toolsets and rights, and notifies listeners', async () => {
  const catalog = createCatalog({ one: async () => one }, { isReplaceable: true })
  expect(catalog.canChange).toBe(true)
  let changes = 0
  catalog.onChange(() => void changes++)
  const pending = catalog.find('one.gone')
  catalog.replace({}, { rightsOf: () => () => false })
  expect(await pending).toEqual({ kind: 'unknown' })
  expect(await catalog.all({ name: 'ada' })).toEqual([])
  expect(changes).toBe(1)
})
