import fc from 'fast-check'
import { canonicalJson } from '../../src/contract/canonical-json.ts'
import type { Effects } from '../../src/contract/contract.ts'
import type { JsonObject, JsonValue } from '../../src/contract/json.ts'

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
/** Inputs of calls with text that resembles the surrounding syntax. */
export const ruleInputs = fc.dictionary(key, value, { maxKeys: 3, noNullPrototype: true }) as fc.Arbitrary<JsonObject>
export const effects = fc.constantFrom<Effects>({}, { writes: ['path'] }, { runs: ['command'] }, { fetches: ['url'] }, { reads: ['a'], writes: ['path'] }) // biome-ignore format: one line
const wildcards = ['.*', '".*"', '"a.*"', '"src/.*"', '"[^"]*"', '".*\\.txt"', '[0-9]+', '(?:.*)', '"(?:a|b).*"', '.+', '.', '[^]*', '"\\w*"', '\\S*', '"a?b*"', '(?:"a"|.*,"path":"a")'] // biome-ignore format: one line
const syntax = [...wildcards, '"path":', ',"path":', ',"x":', '{', '}', '^', '$', '|', '(', ')', '?', '*', '"', ',', '\\', '"a"', '\\{', '\\}', '"path":.*,'] // biome-ignore format: one line

/**
 * A pattern, the input it was made for, and other inputs. No repeated groups: the reference implementation uses
 * backtracking and would not terminate.
 */
export const patterned = ruleInputs.chain((from) =>
  fc.record({
    from: fc.constant(from),
    pattern: fc
      .oneof(
        { weight: 3, arbitrary: toPatterns(from) },
        { weight: 5, arbitrary: toPatterns(from).chain(damage) },
        fc.array(fc.constantFrom(...syntax), { maxLength: 8 }).map((parts) => parts.join('')),
      )
      .filter((pattern) => !/\)[*+?]/.test(pattern)),
    changes: fc.array(ruleInputs, { maxLength: 3 }),
    effects,
  }),
)

/** A plausible pattern for an input: some values literal, others open. */
function toPatterns(from: JsonObject): fc.Arbitrary<string> {
  const keys = Object.keys(from).sort()
  return fc
    .tuple(...keys.map((name) => fc.oneof(fc.constant(toLiteral(from[name]!)), fc.constantFrom(...wildcards))))
    .map((values) => `{${keys.map((name, index) => `${toLiteral(name)}:${values[index]}`).join(',')}}`)
}

/** The same with something added, removed or replaced. */
function damage(pattern: string): fc.Arbitrary<string> {
  const change = fc.record({ at: fc.nat(pattern.length), removed: fc.nat(6), added: fc.constantFrom('', ...syntax) })
  return fc
    .array(change, { maxLength: 2 })
    .map((changes) =>
      changes.reduce((text, { at, removed, added }) => text.slice(0, at) + added + text.slice(at + removed), pattern),
    )
}

export function toLiteral(value: JsonValue): string {
  return canonicalJson(value).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
