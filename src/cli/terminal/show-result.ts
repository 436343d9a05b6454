import { resolve } from 'node:path'
import type { CallSuccess } from '../../contract/call-result.ts'
import { type ContentBlock, isContentBlock } from '../../contract/content/content-block.ts'
import type { Contract } from '../../contract/contract.ts'
import type { JsonObject, JsonValue } from '../../contract/json.ts'
import type { Part } from '../../contract/text/painted.ts'
import { printable } from '../../contract/text/printable.ts'
import { toMcpContent } from '../../projections/mcp-content.ts'
import { createContentPrinter } from './content.ts'
import { toPlainRows } from './markdown.ts'
import { type Line, paint, type Terminal } from './terminal.ts'
import { toValueRows } from './value-rows.ts'

interface ShowOptions {
  readonly terminal: Terminal
  readonly workspace: string
  /** How long the person waited. */
  readonly waitedMs: number
  /** Says which properties are images or other bytes. */
  readonly contract?: Contract | undefined
}

/** Text from a tool is indented, so that it cannot pass for text from the command. */
const margin = '  '

/**
 * Prints a successful result for a person at a terminal: text wrapped at words, MCP content by its kind, structured
 * output as fields. For pipes `printResult` prints it.
 */
export function showResult(result: CallSuccess, { terminal, workspace, waitedMs, contract }: ShowOptions): void {
  const width = Math.max(20, (terminal.columns ?? 80) - margin.length - 1)
  const print = (rows: readonly (readonly Part[])[]) => terminal.print(...rows.map((row) => indent(row)))
  const { output: text, success = true, files_affected: files } = result.output
  const mark = success === false ? paint('red', '✗ ') : paint('green', '✓ ')
  const content = createContentPrinter({ print, width })
  if (typeof text === 'string' && typeof success === 'boolean') {
    const [first = [], ...rest] = toPlainRows(text, width)
    terminal.print([mark, ...first])
    print(rest)
    for (const file of Array.isArray(files) ? files : [])
      if (typeof file === 'string') terminal.print(paint('dim', `${margin}Location: ${printable(resolve(workspace, file))}`)) // biome-ignore format: one line
  } else {
    terminal.print([mark, result.tool])
    const { fields, blocks } = splitOutput(result, contract)
    if (fields) print(toValueRows(fields, width))
    for (const block of blocks) content.print(block)
  }
  for (const block of result.attached?.content ?? []) content.print(block)
  print(toNoteRows(result.notes ?? {}, width))
  terminal.print(paint('dim', `${margin}Time: ${toTime(waitedMs)}`))
}

/** Content blocks are shown by their kind, and bytes that the contract declares as such; the rest are fields. */
function splitOutput(
  result: CallSuccess,
  contract: Contract | undefined,
): { readonly fields?: JsonValue; readonly blocks: readonly ContentBlock[] } {
  const { content, ...others } = result.output
  if (Object.keys(others).length === 0 && Array.isArray(content) && content.every(isContentBlock))
    return { blocks: content }
  const blocks = toMcpContent(result, contract) as ContentBlock[]
  const media = blocks.filter(({ type }) => type !== 'text')
  if (media.length === 0) return { fields: result.output, blocks: [] }
  const [rest] = blocks.filter(({ type }) => type === 'text')
  return { ...(rest && { fields: JSON.parse(rest.text as string) }), blocks: media }
}

/** That a server left out `isError` interests its author, not the person who calls a tool. */
function toNoteRows({ isError, ...notes }: JsonObject, width: number): readonly Part[][] {
  const shown = isError === undefined || isError === 'missing' ? notes : { ...notes, isError }
  return toValueRows(shown, width).map((row) => row.map((part) => paint('dim', typeof part === 'string' ? part : part.text))) // biome-ignore format: one line
}

function indent(row: readonly Part[]): Line {
  return row.length === 0 ? '' : [margin, ...row]
}

function toTime(milliseconds: number): string {
  const time = Math.round(milliseconds)
  if (time < 1) return '<1ms'
  return time < 10_000 ? `${time}ms` : `${(time / 1000).toFixed(1)}s`
}
