import type { JsonObject, JsonValue } from '../../contract/json.ts'
import { printable } from '../../contract/printable.ts'
import { isObject } from '../../mcp/message.ts'
import type { QueuedDetails } from '../../pipeline/kept-question.ts'
import { toTarget } from '../../pipeline/to-target.ts'
import type { Client } from './server.ts'

const maxValueCharacters = 1000
const maxInputLines = 30
const maxListed = 20
const maxDiffLines = 60
const maxLineCharacters = 200
const maxHeadlineCharacters = 120

/** Whether the client can show its user a form. An empty `elicitation` means that it can. */
export function canElicit({ capabilities: { elicitation } }: Client): boolean {
  return isObject(elicitation) && (elicitation.form !== undefined || elicitation.url === undefined)
}

/** The question to the user of a client, in plain text, whether a call may run. */
export function toElicitation(details: QueuedDetails): JsonObject {
  return { message: toMessage(details), requestedSchema: toSchema(details) }
}

/** `deny` comes first and is the default: some clients preselect the first entry, so that one Enter sends it. */
function toSchema({ forTool }: QueuedDetails): JsonObject {
  const also = forTool === undefined ? '' : `; approve_tool also lets ${forTool} run unasked in this workspace`
  return {
    type: 'object',
    properties: {
      decision: {
        type: 'string',
        enum: ['deny', 'approve', ...(forTool === undefined ? [] : ['approve_tool'])],
        default: 'deny',
        title: 'Decision',
        description: `deny refuses this call; approve lets exactly this call run once${also}.`,
      },
    },
    required: ['decision'],
  }
}

/** Some clients show three lines only: what is touched, where that really is, and the first change come first. */
function toMessage(details: QueuedDetails): string {
  const { tool, contract, caller, reason, input, effects, foreseen } = details
  const lines = [
    toHeadline(details),
    ...toPlaces(foreseen).slice(0, 1),
    ...toFirstChange(foreseen),
    `Tool: ${printable(tool)} (risk: ${contract.risk}), called by ${printable(caller.name)}. ${printable(reason)}`,
    ...list('Runs', effects.runs),
    ...list('Writes', effects.writes),
    ...list('Reads', effects.reads),
    ...list('Fetches', effects.fetches),
    ...clip(toPlaces(foreseen).slice(1), maxListed),
    ...(foreseen.sandbox === undefined ? [] : [`Sandbox: ${printable(foreseen.sandbox)}`]),
    ...(foreseen.problem === undefined ? [] : [`Look ahead: ${printable(foreseen.problem)}`]),
    'Input:',
    ...clip(Object.entries(input).map(toInputLine), maxInputLines),
    ...toChanges(foreseen),
  ]
  return lines.join('\n')
}

function toHeadline({ contract, effects, input }: QueuedDetails): string {
  const target = toTarget(effects) || shorten(printable(JSON.stringify(input)), maxHeadlineCharacters)
  return `May ${printable(contract.name)} run? Target: ${target}`
}

function toFirstChange({ changes }: QueuedDetails['foreseen']): string[] {
  const line = changes.flatMap(({ lines }) => lines).find(({ kind }) => kind === 'added' || kind === 'removed')
  return line ? [`First change: ${marks[line.kind]} ${shorten(printable(line.text), maxLineCharacters)}`] : []
}

function list(heading: string, values: readonly string[]): string[] {
  return clip(
    values.map((value) => `${heading}: ${shorten(printable(value), maxValueCharacters)}`),
    maxListed,
  )
}

function toPlaces({ places }: QueuedDetails['foreseen']): string[] {
  const lines = places.flatMap(({ path, real, problem }) => {
    if (problem !== undefined) return [`${printable(path)}: ${printable(problem)}`]
    return real === undefined ? [] : [`Real path: ${printable(real)}`]
  })
  return lines
}

function toInputLine([key, value]: [string, JsonValue]): string {
  return `  ${shorten(printable(key), maxLineCharacters)}: ${shorten(printable(JSON.stringify(value)), maxValueCharacters)}`
}

const marks = { same: ' ', added: '+', removed: '-', place: '@', note: '#' } as const

function toChanges({ changes }: QueuedDetails['foreseen']): string[] {
  const lines = changes.flatMap(({ path, kind, added, removed, lines }) => [
    `Change: ${printable(path)} (${kind}, ${added} lines added, ${removed} removed)`,
    ...lines.map(({ kind, text }) => `${marks[kind]} ${shorten(printable(text), maxLineCharacters)}`),
  ])
  return clip(lines, maxDiffLines)
}

function clip(lines: readonly string[], max: number): string[] {
  if (lines.length <= max) return [...lines]
  return [...lines.slice(0, max), `… ${lines.length - max} more lines are not shown`]
}

function shorten(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max).toWellFormed()}… (${text.length - max} more characters)`
}
