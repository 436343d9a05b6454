import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson } from '../../src/contract/canonical-json.ts'
import type { Effects } from '../../src/contract/contract.ts'
import type { JsonObject } from '../../src/contract/json.ts'
import { decide } from '../../src/policy/decide.ts'
import { compileRules } from '../../src/policy/rules/compile-rules.ts'
import { offerRules } from '../../src/policy/rules/offer-rules.ts'
import { effects, patterned, ruleInputs, toLiteral } from '../helpers/random-rules.ts'
import { readRuleFreshly } from '../helpers/read-rule-freshly.ts'
import { toCall, toRule } from '../helpers/rule-calls.ts'

const seed = 20_260_601
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
  const calls = fc.record({ from: ruleInputs, others: fc.array(ruleInputs, { maxLength: 4 }), effects })
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

test('the second implementation itself follows the requirements', () => {
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
