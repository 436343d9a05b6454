import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mayBelongTo, toAliases, toListedNames } from './listed-names.ts'

const nameOf = (toolset: string, tool: string, others: readonly string[] = ['other']) =>
  toListedNames(toolset, [tool], [toolset, ...others]).get(tool)

test('a name has its toolset before it, unless that is the only one; what models refuse becomes _', () => {
  expect(nameOf('workspace', 'create_file')).toBe('workspace_create_file')
  expect(nameOf('web-fetch', 'search.web')).toBe('web-fetch_search_web')
  expect(nameOf('web-fetch', 'search.web', [])).toBe('search_web')
  expect(nameOf('maker', '3d.print', [])).toBe('maker_3d_print')
})

test('a name that is too long keeps its beginning and ends with a digest, the same whatever else is served', () => {
  const [one, two] = [`${'x'.repeat(60)}1`, `${'x'.repeat(60)}2`]
  const names = toListedNames('files', [one, two], ['files', 'other'])
  expect(names.get(one)).toMatch(/^files_x{28}_[0-9a-f]{10}$/)
  expect(names.get(two)).not.toBe(names.get(one))
  expect(nameOf('files', one, ['a', 'b'])).toBe(names.get(one))
  // Written down: clients and operators keep these names, so a release must not change them.
  expect(nameOf('files', one)).toBe('files_xxxxxxxxxxxxxxxxxxxxxxxxxxxx_5af312f651')
})

test('a name of exactly the maximum length is listed as it is', () => {
  const longest = 'x'.repeat(45 - 'files_'.length)
  expect(nameOf('files', longest)).toBe(`files_${longest}`)
  expect(nameOf('files', `${longest}x`)).toMatch(/_[0-9a-f]{10}$/)
})

test('names that some client would make equal are listed apart, and neither is preferred', () => {
  const names = toListedNames('files', ['a-b', 'a_b', 'c'], ['files', 'other'])
  expect(['a-b', 'a_b', 'c'].map((tool) => names.get(tool))).toEqual([
    expect.stringMatching(/^files_a-b_[0-9a-f]{10}$/),
    expect.stringMatching(/^files_a_b_[0-9a-f]{10}$/),
    'files_c',
  ])
})

test('a name that ends like a digest gets its own, so that no tool can take the name of another', () => {
  const taken = toAliases('files', 'read').find((name) => /^files_read_[0-9a-f]{10}$/.test(name))!
  const names = toListedNames('files', ['read', taken.slice('files_'.length)], ['files', 'other'])
  expect(names.get('read')).toBe('files_read')
  expect(names.get(taken.slice('files_'.length))).toMatch(new RegExp(`^${taken}_[0-9a-f]{10}$`))
})

/** Names that are likely to meet: few characters, and toolsets that begin like others. */
const toolName = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', '_', '.', '-', '7'), minLength: 1, maxLength: 5 }),
  fc
    .tuple(fc.integer({ min: 25, max: 120 }), fc.constantFrom('', 'a', '.a', '_a'))
    .map(([n, end]) => `${'l'.repeat(n)}${end}`),
  fc.constant('a_0123456789'),
)
const toolsetName = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', '_', '-'), maxLength: 4 }).map((rest) => `a${rest}`),
  fc.integer({ min: 30, max: 63 }).map((length) => `a${'l'.repeat(length)}`),
)
const served = fc.uniqueArray(toolsetName, { minLength: 1, maxLength: 6 }).chain((toolsets) =>
  fc.record({
    toolsets: fc.constant(toolsets),
    tools: fc.array(fc.uniqueArray(toolName, { maxLength: 8 }), {
      minLength: toolsets.length,
      maxLength: toolsets.length,
    }),
  }),
)

test('names fit every client, are distinct, lead back to their toolset and do not depend on any order', () => {
  fc.assert(
    fc.property(served, ({ toolsets, tools }) => {
      const all = toolsets.flatMap((toolset, index) => {
        const names = toListedNames(toolset, tools[index]!, toolsets)
        const turned = toListedNames(toolset, tools[index]!.toReversed(), toolsets.toReversed())
        expect(new Map([...turned].toSorted())).toEqual(new Map([...names].toSorted()))
        for (const name of names.values()) expect(toolsets.length === 1 || mayBelongTo(toolset, name)).toBe(true)
        return tools[index]!.map((tool) => names.get(tool)!)
      })
      for (const name of all) expect(name).toMatch(/^[a-zA-Z_][a-zA-Z0-9_-]{0,44}$/)
      // As the strictest client sees them.
      expect(new Set(all.map((name) => name.replaceAll('-', '_'))).size).toBe(all.length)
    }),
    { numRuns: 1000 },
  )
})
