import type { Contract } from '../../contract/contract.ts'
import type { JsonValue } from '../../contract/json.ts'
import { looksLikeRead, toHints } from '../../policy/looks-like-read.ts'
import { type ServerSettings, settingFor } from '../server-settings.ts'
import { toCompletion } from './completions.ts'
import type { Completion } from './verdict.ts'

export interface ChosenRisk {
  readonly risk: Contract['risk']
  readonly approval: Contract['approval']
  readonly completed: readonly Completion[]
}

/** The operator decides; else the server's claim that nothing changes is taken as a claim; else the tool is dangerous. */
export function chooseRisk(tool: string, annotations: JsonValue | undefined, settings: ServerSettings): ChosenRisk {
  const hints = toHints(annotations)
  const configured = settingFor(settings.risk, tool)
  const isClaimed = hints.readOnlyHint === true && hints.destructiveHint !== true
  const risk = configured ?? (isClaimed ? 'read_only' : 'dangerous')
  const approval = chooseApproval(tool, annotations, settings)
  const completed = [toCompletion(configured ? 'risk_configured' : toSource(hints))]
  if (approval) completed.push(toCompletion('approval_configured'))
  if (hints.destructiveHint === true) completed.push(toCompletion('destructive_claimed'))
  if (hints.openWorldHint === true) completed.push(toCompletion('open_world_claimed'))
  return { risk, approval: approval ?? (risk === 'read_only' ? 'never' : 'ask'), completed }
}

/** What the operator has decided; undefined if nothing. */
function chooseApproval(tool: string, annotations: JsonValue | undefined, { approval }: ServerSettings) {
  if (approval !== 'reads') return settingFor(approval, tool)
  return looksLikeRead(tool, annotations) ? 'never' : 'ask'
}

function toSource({ readOnlyHint, destructiveHint }: ReturnType<typeof toHints>) {
  if (readOnlyHint !== true) return 'risk_assumed'
  return destructiveHint === true ? 'risk_contradicted' : 'risk_claimed'
}
