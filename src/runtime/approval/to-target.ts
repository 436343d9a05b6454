import { printable } from '../../contract/text/printable.ts'
import { shorten } from '../../contract/text/shorten.ts'
import type { ApprovalRequest } from './approver.ts'

const maxCharacters = 80

/** What a call would touch, as one short text that is safe to show; empty if its contract does not say. */
export function toTarget(effects: ApprovalRequest['effects']): string {
  const { runs, writes, fetches, reads } = effects
  const [first, ...others] = [...new Set([...runs, ...writes, ...fetches, ...reads])].map((value) => printable(value))
  if (first === undefined) return ''
  const shown = shorten(first, maxCharacters)
  return others.length === 0 ? shown : `${shown} and ${others.length} more`
}
