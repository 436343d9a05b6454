import type { PolicyCall } from './policy-call.ts'
import type { RuleSet } from './rules/compile-rules.ts'

/** What the operator has set. */
export interface Policy extends Modes {
  /** What people have decided about calls to come. */
  readonly rules?: RuleSet
  /** Folders that no rule opens: where the rules themselves are kept. */
  readonly protectedPaths?: readonly string[]
}

export interface Modes {
  /** Ask before every call, whatever its contract and the rules say. */
  readonly askAll?: boolean
  /** Deny every call whose risk is not `read_only`. */
  readonly readOnly?: boolean
}

export interface Decision {
  readonly action: 'allow' | 'ask' | 'deny'
  /** What decided: the id of a rule, the name of a mode, or `contract`. */
  readonly rule: string
  readonly reason: string
}

/** Decides about a call before it runs. Pure. Deny comes first, then ask, then allow; the default is the contract's. */
export function decide(call: PolicyCall, { readOnly, askAll, rules }: Policy): Decision {
  const { risk, approval } = call.contract
  if (readOnly && risk !== 'read_only')
    return { action: 'deny', rule: 'read-only', reason: `Only read_only tools may run, and this one is ${risk}.` }
  const { action, rule = '', reason = '' } = rules?.decide(call) ?? {}
  if (action === 'deny') return { action, rule, reason }
  if (askAll) return { action: 'ask', rule: 'ask-all', reason: 'Every call is to be asked for.' }
  if (action === 'ask') return { action, rule, reason }
  if (approval === 'never') return { action: 'allow', rule: 'contract', reason: 'The contract asks for no approval.' }
  if (action === 'allow') return { action, rule, reason }
  const asks = `The contract asks for approval (risk: ${risk}).`
  return { action: 'ask', rule: 'contract', reason: reason ? `${asks} ${reason}` : asks }
}
