import type { Contract } from '../contract/contract.ts'

export interface ConstraintSummary {
  /** What the tool can access. */
  readonly access: string
  /** What it changes. */
  readonly sideEffects: string
  /** Whether a person approves each call. */
  readonly approvalRequired: boolean
}

/** A tool in a few words, for overviews: the contract's own summary, or one derived from its effects and risk. */
export function toSummary({
  summary,
  effects,
  risk,
  approval,
}: Pick<Contract, 'effects' | 'risk' | 'approval' | 'summary'>): ConstraintSummary {
  return {
    access: summary?.access ?? toAccess(effects),
    sideEffects: summary?.sideEffects ?? toSideEffects(effects, risk),
    approvalRequired: approval === 'ask',
  }
}

function toAccess({ reads = [], writes = [], fetches = [], runs = [], sends = [] }: Contract['effects']): string {
  const kinds = [
    reads.length + writes.length > 0 && 'Files',
    fetches.length + sends.length > 0 && 'Web',
    runs.length > 0 && 'Commands',
  ].filter(Boolean)
  return kinds.length > 0 ? kinds.join(', ') : 'None declared'
}

function toSideEffects(
  { writes = [], fetches = [], runs = [], sends = [] }: Contract['effects'],
  risk: Contract['risk'],
): string {
  if (risk === 'read_only') return 'None'
  const kinds = [
    writes.length > 0 && 'Writes files',
    runs.length > 0 && 'Runs commands',
    fetches.length + sends.length > 0 && 'Sends requests',
  ].filter(Boolean)
  return kinds.length > 0 ? kinds.join(', ') : risk === 'safe_write' ? 'Writes' : 'Unknown'
}
