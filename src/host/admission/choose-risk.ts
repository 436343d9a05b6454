import type { Contract } from '../../contract/contract.ts'
import type { JsonValue } from '../../contract/json.ts'
import { isOffer } from '../../contract/offer.ts'
import { looksLikeRead, toHints } from '../../policy/looks-like-read.ts'
import { type ServerSettings, settingFor } from '../server-settings.ts'
import { toCompletion } from './completions.ts'
import type { Completion } from './verdict.ts'

export interface ChosenRisk {
  readonly risk: Contract['risk']
  readonly approval: Contract['approval']
  /** The server claims that the tool only reads, and the operator has not confirmed it. */
  readonly claimsToRead: boolean
  readonly completed: readonly Completion[]
}

/**
 * The operator decides; by default a tool counts as dangerous and needs approval. The server's hints are claims that count
 * only if the operator has set `approval` to `reads`.
 */
export function chooseRisk(tool: string, annotations: JsonValue | undefined, settings: ServerSettings): ChosenRisk {
  const hints = toHints(annotations)
  const isClaimed = hints.readOnlyHint === true && hints.destructiveHint !== true
  const isRead = settings.approval === 'reads' && looksLikeRead(tool, annotations)
  const configured = settingFor(settings.risk, tool)
  // MCP defines getting a prompt and reading a resource as reads; what they return is checked, and what they send is followed.
  const risk = configured ?? (isOffer(tool) || (isRead && isClaimed) ? 'read_only' : 'dangerous')
  const approval =
    settings.approval === 'reads' ? (isRead || isOffer(tool) ? 'never' : 'ask') : settingFor(settings.approval, tool)
  const source = configured ? 'risk_configured' : isOffer(tool) ? undefined : toSource(risk, hints)
  const completed = source === undefined ? [] : [toCompletion(source)]
  if (approval) completed.push(toCompletion('approval_configured'))
  if (hints.destructiveHint === true) completed.push(toCompletion('destructive_claimed'))
  if (hints.openWorldHint === true) completed.push(toCompletion('open_world_claimed'))
  return {
    risk,
    approval: approval ?? (risk === 'read_only' ? 'never' : 'ask'),
    claimsToRead: isClaimed && risk !== 'read_only',
    completed,
  }
}

function toSource(risk: Contract['risk'], { readOnlyHint, destructiveHint }: ReturnType<typeof toHints>) {
  if (readOnlyHint !== true) return 'risk_assumed'
  if (destructiveHint === true) return 'risk_contradicted'
  return risk === 'read_only' ? 'risk_believed' : 'risk_claimed'
}
