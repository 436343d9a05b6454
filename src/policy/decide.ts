import type { Contract } from '../contract/contract.ts'

/** What the operator has set. */
export interface Policy {
  /** Ask before every call, whatever its contract says. */
  readonly askAll?: boolean
  /** Deny every call whose risk is not `read_only`. */
  readonly readOnly?: boolean
}

export interface Decision {
  readonly action: 'allow' | 'ask' | 'deny'
  /** What decided: the name of a mode, or `contract`. */
  readonly rule: string
  readonly reason: string
}

/** Decides about a call before it runs. Pure. Deny comes first, then ask, then allow. */
export function decide(contract: Contract, policy: Policy): Decision {
  if (policy.readOnly && contract.risk !== 'read_only')
    return {
      action: 'deny',
      rule: 'read-only',
      reason: `Only read_only tools may run, and this one is ${contract.risk}.`,
    }
  if (policy.askAll) return { action: 'ask', rule: 'ask-all', reason: 'Every call is to be asked for.' }
  if (contract.approval === 'ask')
    return { action: 'ask', rule: 'contract', reason: `The contract asks for approval (risk: ${contract.risk}).` }
  return { action: 'allow', rule: 'contract', reason: 'The contract asks for no approval.' }
}
