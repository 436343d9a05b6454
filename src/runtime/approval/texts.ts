import { printable } from '../../contract/text/printable.ts'
import { shorten } from '../../contract/text/shorten.ts'
import type { ApprovalDetails, ApprovalRequest } from './approver.ts'

const maxCharacters = 80

/** What a call would touch, as one short text that is safe to show; empty if its contract does not say. */
export function toTarget(effects: ApprovalRequest['effects']): string {
  const { runs, writes, fetches, reads } = effects
  const [first, ...others] = [...new Set([...runs, ...writes, ...fetches, ...reads])].map((value) => printable(value))
  if (first === undefined) return ''
  const shown = shorten(first, maxCharacters)
  return others.length === 0 ? shown : `${shown} and ${others.length} more`
}

/** A call in a few words: its tool, and what it would touch. */
export function toCallText(tool: string, effects: ApprovalRequest['effects']): string {
  const target = toTarget(effects)
  return `${tool}${target && ` (${target})`}`
}

export function toApproveCommand(id: string): string {
  return `toolpact approvals approve ${id.slice(0, 8)}`
}

/** The question as its caller may read it: before a yes, a caller is not shown what files contain or where links lead. */
export async function toCallerText(details: ApprovalDetails): Promise<string> {
  const { toPlainText } = await import('./text/to-plain-text.ts')
  return toPlainText({ ...details, foreseen: { places: [], changes: [] } })
}
