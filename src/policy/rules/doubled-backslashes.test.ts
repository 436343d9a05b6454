import { expect, test } from 'vitest'
import { cleanContract } from '../../../test/data/clean-contract.ts'
import type { JsonObject } from '../../contract/json.ts'
import { fromDoubled } from './doubled-backslashes.ts'
import { toRulePattern } from './to-rule-pattern.ts'

test.each([
  [String.raw`^{"path":".*\\.txt"}$`, String.raw`^{"path":".*\.txt"}$`],
  [String.raw`{"command":"npm run \\w+"}`, String.raw`{"command":"npm run \w+"}`],
  [String.raw`\\[a\\][a-z]`, String.raw`\[a\][a-z]`],
])('%s is read with single backslashes', (pattern, single) => {
  expect(fromDoubled(pattern)).toBe(single)
})

test.each([
  ['single backslashes', String.raw`{"path":".*\.txt"}`],
  ['no backslash', '{"path":".*"}'],
  ['one that is single among doubled ones', String.raw`a\\.b\.c`],
  ['a line break of the input', String.raw`{"text":"a\\nb\\.c"}`],
  ['a quote of the input', String.raw`{"text":"a\\"b"}`],
  ['a backslash of the input, which JSON doubles', String.raw`{"path":"a\\\\b"}`],
  ['a character class with a backslash', String.raw`{"text":"[^"\\]*\\.txt"}`],
  ['what would be no pattern', String.raw`{"path":"a\\)\\.*("}`],
  ['a class that is not closed', String.raw`a\\.[b`],
])('a pattern with %s is taken as it is', (_, pattern) => {
  expect(fromDoubled(pattern)).toBeUndefined()
})

test('no pattern that is offered along with a yes is read otherwise', () => {
  const contract = cleanContract({ effects: { writes: ['path'] } })
  const values = ['a.txt', 'a\\.txt', 'a\\b', 'a\nb.', '"\\.', '\\d', '\\\\.', '\u0001.', 'notes/[a].txt']
  for (const value of values)
    for (const width of ['exact', 'file', 'folder', 'command-word', 'site', 'tool'] as const) {
      const input: JsonObject = { path: value, text: value }
      const pattern = toRulePattern(contract, input, width)
      if (pattern !== undefined) expect(fromDoubled(pattern), pattern).toBeUndefined()
    }
})
