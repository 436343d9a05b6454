import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson } from '../src/contract/canonical-json.ts'
import type { Effects } from '../src/contract/contract.ts'
import type { JsonObject, JsonValue } from '../src/contract/json.ts'
import { decide } from '../src/policy/decide.ts'
import { compileRules } from '../src/policy/rules/compile-rules.ts'
import { offerRules } from '../src/policy/rules/offer-rules.ts'
import { readRuleFreshly } from './read-rule-freshly.ts'
import { toCall, toRule } from './rule-calls.ts'

const seed = 20_260_601
const pieces = ['a', 'b', '.txt', 'src/', '","path":"', '"}', '{', '}', ',', '..', '/', '; x', ' -x', '$(x)', '\\', '"', '\n', '\u202e', '\u200b', '\x1b', 'é', '1'] // biome-ignore format: one line
const text = fc.array(fc.constantFrom(...pieces), { maxLength: 4 }).map((parts) => parts.join(''))
const key = fc.constantFrom('a', 'command', 'path', 'url', 'x', '.txt', '"', 'path":"a","x')
const value: fc.Arbitrary<JsonValue> = fc.oneof(
  { weight: 6, arbitrary: text },
  fc.integer({ min: -5, max: 500 }),
  fc.boolean(),
  fc.array(text, { maxLength: 2 }),
  fc.dictionary(key, text, { maxKeys: 2 }),
)
const input = fc.dictionary(key, value, { maxKeys: 3, noNullPrototype: true }) as fc.Arbitrary<JsonObject>
const effects = fc.constantFrom<Effects>({}, { writes: ['path'] }, { runs: ['command'] }, { fetches: ['url'] }, { reads: ['a'], writes: ['path'] }) // biome-ignore format: one line
const wildcards = ['.*', '".*"', '"a.*"', '"src/.*"', '"[^"]*"', '".*\\.txt"', '[0-9]+', '(?:.*)', '"(?:a|b).*"', '.+', '.', '[^]*', '"\\w*"', '\\S*', '"a?b*"', '(?:"a"|.*,"path":"a")'] // biome-ignore format: one line
const syntax = [...wildcards, '"path":', ',"path":', ',"x":', '{', '}', '^', '$', '|', '(', ')', '?', '*', '"', ',', '\\', '"a"', '\\{', '\\}', '"path":.*,'] // biome-ignore format: one line

/** A pattern as someone might write it for an input: some values spelled out, others open. */
function toPatterns(from: JsonObject): fc.Arbitrary<string> {
  const keys = Object.keys(from).sort()
  return fc
    .tuple(...keys.map((name) => fc.oneof(fc.constant(toLiteral(from[name]!)), fc.constantFrom(...wildcards))))
    .map((values) => `{${keys.map((name, index) => `${toLiteral(name)}:${values[index]}`).join(',')}}`)
}

/** The same with something added, removed or put in place of something else. */
function damage(pattern: string): fc.Arbitrary<string> {
  const change = fc.record({ at: fc.nat(pattern.length), removed: fc.nat(6), added: fc.constantFrom('', ...syntax) })
  return fc
    .array(change, { maxLength: 2 })
    .map((changes) =>
      changes.reduce((text, { at, removed, added }) => text.slice(0, at) + added + text.slice(at + removed), pattern),
    )
}

/** No repeated groups: the fresh reading has no engine that is linear, and would not end. */
const patterned = input.chain((from) =>
  fc.record({
    from: fc.constant(from),
    pattern: fc
      .oneof(
        { weight: 3, arbitrary: toPatterns(from) },
        { weight: 5, arbitrary: toPatterns(from).chain(damage) },
        fc.array(fc.constantFrom(...syntax), { maxLength: 8 }).map((parts) => parts.join('')),
      )
      .filter((pattern) => !/\)[*+?]/.test(pattern)),
    changes: fc.array(input, { maxLength: 3 }),
    effects,
  }),
)

test('no rule allows an input that a fresh reading of its text would not', async () => {
  let allowed = 0
  let asked = 0
  await fc.assert(
    fc.asyncProperty(patterned, async ({ from, pattern, changes, effects }) => {
      const rules = await compileRules([toRule(pattern)])
      const inputs = [from, ...changes, ...changes.map((change) => ({ ...change, ...from })), ...changes.map((change) => ({ ...from, ...change }))] // biome-ignore format: one line
      for (const tried of inputs) {
        if (decide(toCall(tried, effects), { rules }).action !== 'allow') {
          if (readRuleFreshly(pattern, tried)) asked++
          continue
        }
        allowed++
        expect(readRuleFreshly(pattern, tried), `${pattern} allows ${canonicalJson(tried)}`).toBe(true)
        expectHarmless(pattern, tried, effects)
      }
    }),
    { seed, numRuns: 2000 },
  )
  // It would be no test if nothing were allowed, or nothing held back that matches.
  expect(allowed).toBeGreaterThan(150)
  expect(asked).toBeGreaterThan(150)
})

test('no rule that is offered for a call allows another that a fresh reading of its text would not', async () => {
  let allowed = 0
  const calls = fc.record({ from: input, others: fc.array(input, { maxLength: 4 }), effects })
  await fc.assert(
    fc.asyncProperty(calls, async ({ from, others, effects }) => {
      for (const { pattern } of await offerRules(toCall(from, effects))) {
        expect(readRuleFreshly(pattern, from)).toBe(true)
        const rules = await compileRules([toRule(pattern)])
        for (const tried of [...others, ...others.map((other) => ({ ...from, ...other }))]) {
          if (decide(toCall(tried, effects), { rules }).action !== 'allow') continue
          allowed++
          expect(readRuleFreshly(pattern, tried), `${pattern} allows ${canonicalJson(tried)}`).toBe(true)
          expectHarmless(pattern, tried, effects)
        }
      }
    }),
    { seed, numRuns: 500 },
  )
  expect(allowed).toBeGreaterThan(50)
})

test('the fresh reading itself knows what the seed asks for', () => {
  const pattern = String.raw`^{"path":".*\.txt"}$`
  expect(readRuleFreshly(pattern, { path: 'test.txt' })).toBe(true)
  expect(readRuleFreshly(pattern, { content: 'k .txt', path: '/root/.ssh/authorized_keys' })).toBe(false)
  expect(readRuleFreshly(pattern, { path: 'a', x: '.txt' })).toBe(false)
  expect(readRuleFreshly('{"a":.*,"path":"src/.*"}', { a: { b: 1, path: 'src/x' }, path: '/etc/passwd' })).toBe(false)
  expect(readRuleFreshly('{"a":.*,"path":"src/.*"}', { a: 1, path: 'src/x' })).toBe(true)
})

/** What must never pass by a wildcard. */
function expectHarmless(pattern: string, { path, command, ...others }: JsonObject, effects: Effects) {
  expect(JSON.stringify(others)).not.toMatch(/[\u202e\u200b]|\\u001b/)
  if (effects.writes && typeof path === 'string') expect(path).not.toMatch(/(?:^|\/)\.\.(?:$|\/)|[\n\x1b\u202e\u200b]/)
  if (effects.runs && typeof command === 'string')
    for (const harmful of [';', '$(', ' -x']) if (!pattern.includes(toLiteral(harmful).slice(1, -1))) expect(command).not.toContain(harmful) // biome-ignore format: one line
}

function toLiteral(value: JsonValue): string {
  return canonicalJson(value).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
