import type { RuleSet } from './compile-rules.ts'

/**
 * Stands in for rules that cannot be read. Denials of their last good version still hold, nothing is allowed, and every
 * other call asks. Without such a version nobody knows what is denied, so everything is: a yes to all questions must not
 * lift a denial.
 */
export function toBrokenRules(reason: string, lastGood: RuleSet | undefined): RuleSet {
  return {
    decide(call) {
      if (!lastGood) return { action: 'deny', rule: 'rules-file', reason }
      const decision = lastGood.decide(call)
      return decision.action === 'deny' ? decision : { action: 'ask', rule: 'rules-file', reason }
    },
    explain: (call) => lastGood?.explain(call) ?? [],
    findProblems: () => [],
  }
}
