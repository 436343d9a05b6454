import type { RuleSet } from './compile-rules.ts'

/** Stands in for rules that cannot be read. None of them allows, and any of them might have denied: every call asks. */
export function askAlways(reason: string): RuleSet {
  return {
    decide: () => ({ action: 'ask', rule: 'rules-file', reason }),
    explain: () => [],
    findProblems: () => [],
  }
}
