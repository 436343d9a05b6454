import type { Contract } from '../../contract/contract.ts'

export interface RunQuestion {
  readonly contract: Contract
  /** Does the tool live in another server, which no workspace of ours confines? */
  readonly isForeign: boolean
  /** The person has said that tools may do what they do. */
  readonly runAll: boolean
}

/**
 * Why a tool may not be run with inputs that nobody has looked at; undefined where it may. What it does must stay in the
 * temporary workspace, or change nothing.
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
