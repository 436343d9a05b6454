import type { CheckState } from '../../api/api.ts'

type States = { readonly [check: string]: CheckState | undefined }
export type CellState = CheckState | 'absent'

const words: Record<CellState, string> = {
  passed: 'passed',
  failed: 'failed',
  not_needed: 'not needed',
  begun: 'waiting',
  absent: 'not reached',
}

export function toCells(names: readonly string[], checks: States): { name: string; state: CellState }[] {
  return names.map((name) => ({ name, state: checks[name] ?? 'absent' }))
}

export function labelOf(name: string, state: CellState): string {
  return `${name.replaceAll('_', ' ')}: ${words[state]}`
}

/** The cells in words: where a call stopped or waits, otherwise how far it came. */
export function describeChecks(names: readonly string[], checks: States): string {
  const stopped = names.find((name) => checks[name] === 'failed') ?? names.find((name) => checks[name] === 'begun')
  if (stopped !== undefined) return labelOf(stopped, checks[stopped]!)
  const done = names.filter((name) => checks[name] === 'passed' || checks[name] === 'not_needed').length
  return `${done} of ${names.length} checks passed`
}
