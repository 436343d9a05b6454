import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Consumer, toConsumerNames } from './names.ts'

/** What each consumer documents, written once more: the test must not share the code's own forms. */
const documented: { readonly [consumer in Consumer]: RegExp } = {
  mcp: /^[A-Za-z0-9_.-]{1,128}$/,
  openai: /^[A-Za-z0-9_-]{1,64}$/,
  anthropic: /^[a-zA-Z0-9_-]{1,128}$/,
  gemini: /^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$/,
}
const consumers = Object.keys(documented) as Consumer[]

test('a name that fits stays; a dot becomes _ where no dot is taken', () => {
  const names = ['create_file', 'learning.hello']
  expect(names.map(toConsumerNames(names, 'openai').to)).toEqual(['create_file', 'learning_hello'])
  expect(names.map(toConsumerNames(names, 'anthropic').to)).toEqual(['create_file', 'learning_hello'])
  expect(names.map(toConsumerNames(names, 'gemini').to)).toEqual(names)
  expect(names.map(toConsumerNames(names, 'mcp').to)).toEqual(names)
  expect(toConsumerNames(names, 'openai').from('learning_hello')).toBe('learning.hello')
  expect(toConsumerNames(names, 'openai').from('learning.hello')).toBeUndefined()
})

test('Gemini gets a letter or _ first', () => {
  expect(toConsumerNames(['3d.print'], 'gemini').to('3d.print')).toBe('_3d.print')
  expect(toConsumerNames(['-x'], 'gemini').to('-x')).toBe('_-x')
})

test('where two names would become one, the one that fits keeps it and the other ends with a digest', () => {
  const names = toConsumerNames(['a.b', 'a_b'], 'openai')
  expect(names.to('a_b')).toBe('a_b')
  expect(names.to('a.b')).toMatch(/^a_b_[0-9a-f]{8}$/)
  expect(names.from(names.to('a.b'))).toBe('a.b')
})

test('a name that is too long is shortened, and two that begin alike stay apart', () => {
  const [one, two] = [`files.${'x'.repeat(80)}1`, `files.${'x'.repeat(80)}2`]
  const names = toConsumerNames([one, two], 'openai')
  expect(names.to(one)).toMatch(/^files_x{49}_[0-9a-f]{8}$/)
  expect(names.to(one)).not.toBe(names.to(two))
  expect(names.to(one)).toBe(toConsumerNames([one], 'openai').to(one))
})

test('a tool that is already called what another would become makes it look for a longer digest', () => {
  const taken = toConsumerNames(['a.b', 'a_b'], 'openai').to('a.b')
  const names = toConsumerNames(['a.b', 'a_b', taken], 'openai')
  expect(names.to(taken)).toBe(taken)
  expect(names.to('a.b')).toMatch(/^a_b_[0-9a-f]{16}$/)
})

/** Names that are likely to meet: few characters, some of them refused by somebody. */
const awkward = fc.string({ unit: fc.constantFrom('a', 'B', '_', '.', '-', ':', ' ', '7', 'é', '😀'), maxLength: 5 })
const long = fc.tuple(fc.integer({ min: 55, max: 140 }), awkward).map(([length, end]) => `${'l'.repeat(length)}${end}`)
const nameSets = fc.uniqueArray(fc.oneof(awkward, long), { maxLength: 40 })

test.each(consumers)(
  'names for %s are accepted, distinct and reversible, whatever the tools and their order',
  (consumer) => {
    fc.assert(
      fc.property(nameSets, (served) => {
        const names = toConsumerNames(served, consumer)
        const given = served.map(names.to)
        for (const name of given) expect(name).toMatch(documented[consumer])
        expect(new Set(given).size).toBe(served.length)
        expect(given.map(names.from)).toEqual(served)
        for (const name of served) if (documented[consumer].test(name)) expect(names.to(name)).toBe(name)
        const turned = toConsumerNames(served.toReversed(), consumer)
        expect(served.map(turned.to)).toEqual(given)
      }),
      { numRuns: 500 },
    )
  },
)
