import assert from 'node:assert/strict'
import fc from 'fast-check'
import { canonicalJson } from '../../src/contract/canonical-json.ts'
import { decide } from '../../src/policy/decide.ts'
import { compileRules } from '../../src/policy/rules/compile-rules.ts'
import { patterned, ruleInputs } from '../helpers/random-rules.ts'
import { readRuleFreshly } from '../helpers/read-rule-freshly.ts'
import { toCall, toRule } from '../helpers/rule-calls.ts'
import { defineTarget } from './target.ts'

const actions = fc.constantFrom('allow', 'ask', 'deny')

/** A rule allows nothing that the reference implementation would not, and never throws. */
export const ruleTarget = defineTarget(() => ({
  inputs: patterned,
  async check({ from, pattern, changes, effects }) {
    const rules = await compileRules([toRule(pattern)])
    rules.findProblems()
    for (const input of [from, ...changes, ...changes.map((change) => ({ ...from, ...change }))]) {
      if (decide(toCall(input, effects), { rules }).action !== 'allow') continue
      assert.ok(readRuleFreshly(pattern, input), `${pattern} allows ${canonicalJson(input)}`)
    }
  },
}))

/** Any text as a pattern, with any action, decides or is reported as a problem. */
export const ruleTextTarget = defineTarget(() => ({
  inputs: fc.record({
    pattern: fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.stringMatching(/^[a{}"':,.*+?()|[\]\\^$0-9-]{0,40}$/),
    ),
    action: actions,
    input: ruleInputs,
  }),
  async check({ pattern, action, input }) {
    const rules = await compileRules([toRule(pattern, { action })])
    const decision = decide(toCall(input), { rules })
    const isSound = rules.findProblems().length === 0
    assert.ok(
      decision.action !== 'allow' || (action === 'allow' && isSound),
      `${decision.action} by a rule to ${action}`,
    )
    rules.decide(toCall(input))
    rules.explain(toCall(input))
  },
}))
