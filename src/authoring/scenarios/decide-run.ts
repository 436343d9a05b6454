import type { Contract } from '../../contract/contract.ts'

export interface RunQuestion {
  readonly contract: Contract
  /** Whether the tool runs in another server, outside our workspace. */
  readonly isForeign: boolean
  /** Whether the user allowed running all tools. */
  readonly runAll: boolean
}

/**
 * Why a tool must not run with generated inputs; undefined if it may. Its effects must stay in the temporary workspace, or be
 * read-only.
 */
export function decideRun({ contract, isForeign, runAll }: RunQuestion): string | undefined {
  const { risk, effects } = contract
  if (runAll) return undefined
  if (effects.runs?.length) return 'It runs commands: only --run lets it.'
  if (effects.fetches?.length) return 'It fetches from elsewhere: only --run lets it.'
  if (risk === 'read_only') return undefined
  if (isForeign) return 'It may change something in its server: only --run lets it.'
  if (risk === 'dangerous' && !effects.writes?.length)
    return 'It is dangerous and its contract does not say which files it writes: only --run lets it.'
  return undefined
}
