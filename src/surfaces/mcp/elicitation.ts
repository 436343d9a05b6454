import { isObject, type JsonObject } from '../../contract/json.ts'
import { printable } from '../../contract/text/printable.ts'
import type { QueuedDetails } from '../../runtime/approval/queue.ts'
import { toCallText, toTarget } from '../../runtime/approval/texts.ts'
import type { Client } from './server.ts'

/** Whether the client can show a form. An empty `elicitation` means yes. */
export function canElicit({ capabilities: { elicitation } }: Client): boolean {
  return isObject(elicitation) && (elicitation.form !== undefined || elicitation.url === undefined)
}

/** Whether the client can open a page for its user. */
export function canOpenPages({ capabilities: { elicitation } }: Client): boolean {
  return isObject(elicitation) && elicitation.url !== undefined
}

/**
 * The elicitation that opens a question in the console, where a person signs in to answer: the URL carries no credential, and
 * the client learns nothing but that its user agreed to open it.
 */
export function toPageElicitation({ contract, effects }: Shown, page: string): JsonObject {
  const call = toCallText(printable(contract.name), effects)
  const message = `${call} needs approval. Open the console to see what it would do, and answer there.`
  return { mode: 'url', message, url: page }
}

type Shown = Pick<QueuedDetails, 'contract' | 'effects'>

/** The page of a question. */
export function toPage(console: string, id: string): string {
  return `${console}/console/inbox/${encodeURIComponent(id)}`
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
