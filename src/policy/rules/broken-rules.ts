import type { RuleSet } from './compile-rules.ts'

/**
 * Replaces rules that cannot be read. Denials of the last good version hold, nothing is allowed, and every other call asks.
 * Without a good version the denials are unknown, so every call is denied: approving a question must not lift a denial.
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
