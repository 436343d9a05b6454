import { resolve } from 'node:path'
import { inspect } from 'node:util'
import type { CallResult, CallSuccess } from '../../contract/call-result.ts'
import { pipelineErrors } from '../../contract/error-codes.ts'
import type { JsonValue } from '../../contract/json.ts'
import { printable, printableJson } from '../../contract/text/printable.ts'
import type { ErrorData, Problem } from '../../contract/tool-error.ts'
import { toResultJson } from '../../projections/result-json.ts'
import type { Violation } from '../../runtime/pipeline/pipeline-options.ts'
import { type Line, paint, type Terminal } from './terminal.ts'

interface PrintOptions {
  readonly terminal: Terminal
  readonly json: boolean
  readonly workspace: string
}

/** Prints the result of a call: as JSON on stdout, or as text with failures on stderr. */
export function printResult(result: CallResult, { terminal, json, workspace }: PrintOptions): void {
  if (json) terminal.print(printableJson(toResultJson(result)))
  else if (result.success) terminal.print(...toSuccessLines(result, workspace))
  else terminal.log(...toFailureLines(result.error, result.tool))
}

function toSuccessLines(result: CallSuccess, workspace: string): Line[] {
  const { output: text, success = true, files_affected: files, execution_time_ms } = result.output
  const mark = success === false ? paint('red', '✗ ') : paint('green', '✓ ')
  const time = Math.round(typeof execution_time_ms === 'number' ? execution_time_ms : result.durationMs)
  const timeLine = paint('dim', `  Time: ${time < 1 ? '<1' : time}ms`)
  // If the output has its own text, print that.
  if (typeof text !== 'string' || typeof success !== 'boolean') {
    return [[mark, result.tool], ...toFieldLines(result.output), ...toNoteLines(result), timeLine]
  }
  const locations = Array.isArray(files) ? files.filter((file) => typeof file === 'string') : []
  return [
    [mark, indent(text.replace(/\n$/, ''))],
    ...locations.map((file) => paint('dim', `  Location: ${printable(resolve(workspace, file))}`)),
    ...toNoteLines(result),
    timeLine,
  ]
}

/** Metadata that the tool added to its output. */
function toNoteLines({ notes = {} }: CallSuccess): Line[] {
  return Object.entries(notes).map(([key, value]) =>
    paint('dim', `  ${printable(`${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)}`),
  )
}

function toFieldLines(output: CallSuccess['output']): Line[] {
  const entries = Object.entries(output)
  const width = Math.max(0, ...entries.map(([key]) => printable(key).length)) + 1
  return entries.map(([key, value]) => [paint('bold', `  ${`${printable(key)}:`.padEnd(width)}`), toFieldText(value)])
}

function toFieldText(value: JsonValue): string {
  const text = typeof value === 'string' ? value : toJsonText(value)
  return text.includes('\n') ? `\n    ${indent(indent(text))}` : ` ${text}`
}

function toJsonText(value: JsonValue): string {
  const line = JSON.stringify(value)
  return line.length <= 80 ? line : JSON.stringify(value, null, 2)
}

/** Text from a tool is indented, so that it cannot pass for text from the command. */
function indent(text: string): string {
  return text.replaceAll('\n', '\n  ')
}

/** For the person at the terminal, who is the operator. */
const deniedAdvice = 'To allow it, change what denies it: `toolpact rules` lists the rules.'

function toFailureLines({ code, message, suggestion, problems = [] }: ErrorData, tool: string): Line[] {
  return [
    [paint('red', 'Error:'), ` ${indent(message.trimEnd())}`],
    ...problems.map((problem) => `  ${toProblemText(problem)}`),
    suggestion === pipelineErrors.denied.suggestion ? deniedAdvice : printable(suggestion),
    ...(code === 'invalid_input' && problems.length > 0 ? [`The contract: toolpact show ${printable(tool)}`] : []),
    paint('dim', `Code: ${printable(code)}`),
  ]
}

/** Omits the location if the message already names it. */
export function toProblemText({ pointer, message }: Pick<Problem, 'pointer' | 'message'>): string {
  return printable(message.includes(pointer) ? message : `${pointer}: ${message}`)
}

/** Prints how a tool broke its contract. Shown to people with `--debug`, never to models. */
export function printViolation({ kind, message, problems = [], raw }: Violation, terminal: Terminal): void {
  terminal.log(
    [paint('yellow', 'Contract violation:'), ` ${kind}. ${printable(message)}`],
    ...problems.map((problem) => `  ${toProblemText(problem)}`),
    `  Raw: ${inspect(raw, { depth: 8, maxStringLength: 10_000, breakLength: 100 }).replaceAll('\n', '\n  ')}`,
  )
}
