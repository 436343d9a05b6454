import { isObject, type JsonObject } from '../../contract/json.ts'
import { printable } from '../../contract/text/printable.ts'
import type { QueuedDetails } from '../../runtime/approval/queue.ts'
import { toTarget } from '../../runtime/approval/texts.ts'
import type { Client } from './server.ts'

/** Whether the client can show a form. An empty `elicitation` means yes. */
export function canElicit({ capabilities: { elicitation } }: Client): boolean {
  return isObject(elicitation) && (elicitation.form !== undefined || elicitation.url === undefined)
}

/** The elicitation that asks a client's user to approve a call. */
export async function toElicitation(details: QueuedDetails): Promise<JsonObject> {
  const { toPlainText } = await import('../../runtime/approval/text/to-plain-text.ts')
  return { message: toPlainText(details), requestedSchema: toSchema(details) }
}

/**
 * `deny` is first and the default: some clients preselect the first entry, so a single Enter sends it. The description
 * repeats the target, because some clients show only three lines of the message.
 */
function toSchema(details: QueuedDetails): JsonObject {
  const { forTool } = details
  const also = forTool === undefined ? '' : `; approve_tool also lets ${forTool} run unasked in this workspace`
  return {
    type: 'object',
    properties: {
      decision: {
        type: 'string',
        enum: ['deny', 'approve', ...(forTool === undefined ? [] : ['approve_tool'])],
        default: 'deny',
        title: 'Decision',
        description: `${toAbout(details)} deny (n) refuses this call; approve (y) lets exactly this call run once${also}.`,
      },
    },
    required: ['decision'],
  }
}

/** What the call touches, with the real path. */
function toAbout({ contract, effects, foreseen }: QueuedDetails): string {
  const target = toTarget(effects)
  const real = foreseen.places.find((place) => place.real !== undefined)?.real
  return `${printable(contract.name)}${target && `: ${target}`}${real === undefined ? '' : `, really ${printable(real)}`}.`
}
