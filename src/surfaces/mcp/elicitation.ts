import { isObject, type JsonObject } from '../../contract/json.ts'
import { printable } from '../../contract/text/printable.ts'
import type { QueuedDetails } from '../../runtime/approval/queue.ts'
import { toTarget } from '../../runtime/approval/texts.ts'
import type { Client } from './server.ts'

/** Whether the client can show its user a form. An empty `elicitation` means that it can. */
export function canElicit({ capabilities: { elicitation } }: Client): boolean {
  return isObject(elicitation) && (elicitation.form !== undefined || elicitation.url === undefined)
}

/** The question to the user of a client, in plain text, whether a call may run. */
export async function toElicitation(details: QueuedDetails): Promise<JsonObject> {
  const { toPlainText } = await import('../../runtime/approval/text/to-plain-text.ts')
  return { message: toPlainText(details), requestedSchema: toSchema(details) }
}

/**
 * `deny` comes first and is the default: some clients preselect the first entry, so that one Enter sends it. The
 * description names the target again, because some clients show only three lines of the message.
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

/** What is touched, and where that really is. */
function toAbout({ contract, effects, foreseen }: QueuedDetails): string {
  const target = toTarget(effects)
  const real = foreseen.places.find((place) => place.real !== undefined)?.real
  return `${printable(contract.name)}${target && `: ${target}`}${real === undefined ? '' : `, really ${printable(real)}`}.`
}
