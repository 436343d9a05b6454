import type { JsonObject, JsonValue } from '../../contract/json.ts'
import { printable } from '../../contract/printable.ts'
import { isObject } from '../../mcp/message.ts'
import type { ApprovalDetails } from '../../pipeline/approver.ts'
import type { Client } from './server.ts'

const mostValueCharacters = 1000
const mostInputLines = 30
const mostListed = 20
const mostDiffLines = 60
const mostLineCharacters = 200

/** Can the client show its user a form? One that names no form at all means that it can. */
export function canElicit({ capabilities: { elicitation } }: Client): boolean {
  return isObject(elicitation) && (elicitation.form !== undefined || elicitation.url === undefined)
}

/** Asks the user of a client, in plain text, whether a call may run. */
export function toElicitation(details: ApprovalDetails): JsonObject {
  return { message: toMessage(details), requestedSchema: decisionSchema }
}

/** Only a form that was sent, with the yes chosen, is a yes. */
export function isYes(result: JsonValue): boolean {
  return (
    isObject(result) && result.action === 'accept' && isObject(result.content) && result.content.decision === 'approve'
  )
}

const decisionSchema: JsonObject = {
  type: 'object',
  properties: {
    decision: {
      type: 'string',
      enum: ['approve', 'deny'],
      title: 'Decision',
      description: 'approve lets exactly this call run once; deny refuses it.',
    },
  },
  required: ['decision'],
}

function toMessage({ tool, contract, caller, reason, input, effects, foreseen }: ApprovalDetails): string {
  const lines = [
    `May ${printable(tool)} run? (risk: ${contract.risk})`,
    `Asked for by ${printable(caller.name)}. ${printable(reason)}`,
    ...list('Runs', effects.runs),
    ...list('Writes', effects.writes),
    ...list('Reads', effects.reads),
    ...list('Fetches', effects.fetches),
    ...toPlaces(foreseen),
    ...(foreseen.sandbox === undefined ? [] : [`Sandbox: ${printable(foreseen.sandbox)}`]),
    ...(foreseen.problem === undefined ? [] : [`Look ahead: ${printable(foreseen.problem)}`]),
    'Input:',
    ...clip(Object.entries(input).map(toInputLine), mostInputLines),
    ...toChanges(foreseen),
  ]
  return lines.join('\n')
}

function list(heading: string, values: readonly string[]): string[] {
  return clip(
    values.map((value) => `${heading}: ${shorten(printable(value), mostValueCharacters)}`),
    mostListed,
  )
}

function toPlaces({ places }: ApprovalDetails['foreseen']): string[] {
  const lines = places.flatMap(({ path, real, problem }) => {
    if (problem !== undefined) return [`${printable(path)}: ${printable(problem)}`]
    return real === undefined ? [] : [`Real path: ${printable(real)}`]
  })
  return clip(lines, mostListed)
}

function toInputLine([key, value]: [string, JsonValue]): string {
  return `  ${shorten(printable(key), mostLineCharacters)}: ${shorten(printable(JSON.stringify(value)), mostValueCharacters)}`
}

const marks = { same: ' ', added: '+', removed: '-', place: '@', note: '#' } as const

function toChanges({ changes }: ApprovalDetails['foreseen']): string[] {
  const lines = changes.flatMap(({ path, kind, added, removed, lines }) => [
    `Change: ${printable(path)} (${kind}, ${added} lines added, ${removed} removed)`,
    ...lines.map(({ kind, text }) => `${marks[kind]} ${shorten(printable(text), mostLineCharacters)}`),
  ])
  return clip(lines, mostDiffLines)
}

function clip(lines: readonly string[], most: number): string[] {
  if (lines.length <= most) return [...lines]
  return [...lines.slice(0, most), `… ${lines.length - most} more lines are not shown`]
}

function shorten(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).toWellFormed()}… (${text.length - most} more characters)`
}
