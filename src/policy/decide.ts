import { describeLeak, findNotAllowed, toReceivers } from './data-flow.ts'
import type { PolicyCall } from './policy-call.ts'
import type { RuleSet } from './rules/compile-rules.ts'

/** Settings of the operator, and rules. */
export interface Policy extends Modes {
  /** Standing decisions of people about future calls. */
  readonly rules?: RuleSet
  /** Folders that no rule can allow, such as the one that stores the rules. */
  readonly protectedPaths?: readonly string[]
  /** Changes with the settings and with every ask or deny rule. An approval is bound to one version. */
  readonly version?: string
}

/** Settings that make every decision stricter. */
export interface Modes {
  /** Ask before every call, regardless of contract and rules. */
  readonly askAll?: boolean
  /** Deny every call whose risk is not `read_only`. */
  readonly readOnly?: boolean
  /** After a session has read private data or untrusted text, ask before it sends to a receiver that is not allowed yet. */
  readonly followsData?: boolean
}

/** What happens to a call, and why. */
export interface Decision {
  readonly action: 'allow' | 'ask' | 'deny'
  /** What decided: a rule id, the name of a mode, `contract`, `data-flow`, or `host` for a host that was allowed before. */
  readonly rule: string
  readonly reason: string
}

/** Decides about a call before it runs. Pure. Deny overrides ask, ask overrides allow; the default is the contract's. */
export function decide(call: PolicyCall, { readOnly, askAll, rules }: Policy): Decision {
  const { risk, approval, effects } = call.contract
  if (readOnly && risk !== 'read_only')
    return { action: 'deny', rule: 'read-only', reason: `Only read_only tools may run, and this one is ${risk}.` }
  const { action, rule = '', reason = '' } = rules?.decide(call) ?? {}
  if (action === 'deny') return { action, rule, reason }
  if (askAll) return { action: 'ask', rule: 'ask-all', reason: 'Every call is to be asked for.' }
  if (action === 'ask') return { action, rule, reason }
  const receivers = call.flow || effects.askPerHost ? findNotAllowed(call, rules) : []
  const leak = call.flow && describeLeak(call.flow, receivers)
  if (approval === 'never' && !leak)
    return { action: 'allow', rule: 'contract', reason: 'The contract asks for no approval.' }
  if (action === 'allow') return { action, rule, reason }
  if (approval === 'never')
    return { action: 'ask', rule: 'data-flow', reason: [leak, reason].filter(Boolean).join(' ') }
  if (effects.askPerHost && receivers.length === 0 && toReceivers(call).length > 0)
    return { action: 'allow', rule: 'host', reason: 'The host is allowed for this session or by a rule.' }
  const asks = `The contract asks for approval (risk: ${risk}).`
  return { action: 'ask', rule: 'contract', reason: [leak, asks, reason].filter(Boolean).join(' ') }
}
