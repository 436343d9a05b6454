import type { Contract } from '../../../contract/contract.ts'
import type { JsonObject } from '../../../contract/json.ts'
import { toSummary } from '../../../projections/summary.ts'
import type { Block, Table } from './block.ts'
import type { Draft } from './draft.ts'
import type { Note } from './finding.ts'
import { toCode, toError } from './read-errors.ts'

/** Tables about all tools: the constraint summary and the errors. */
export function readTables(blocks: readonly Block[], drafts: readonly Draft[], note: Note): void {
  const tables = blocks.filter((block) => block.kind === 'table')
  for (const table of tables) {
    const columns = columnsOf(table)
    if (columns.tool !== undefined && (columns.access ?? columns.sideeffects ?? columns.approvalrequired) !== undefined)
      readSummaries(table, drafts, note)
  }
  for (const table of tables) {
    const columns = columnsOf(table)
    if (columns.code !== undefined && columns.description !== undefined) readErrorTable(table, drafts, note)
  }
}

type Columns = { readonly [name: string]: number | undefined }

function columnsOf({ rows }: Table): Columns {
  const names = (rows[0]?.cells ?? []).map((cell) => cell.toLowerCase().replaceAll(/[^a-z]/g, ''))
  return Object.fromEntries(names.map((name, index) => [name, index]))
}

function readSummaries(table: Table, drafts: readonly Draft[], note: Note) {
  const columns = columnsOf(table)
  for (const { line, cells } of table.rows.slice(1)) {
    const cell = (name: string) => (columns[name] === undefined ? '' : (cells[columns[name]] ?? ''))
    const name = cell('tool')
    const draft = drafts.find(({ id }) => id === name) ?? drafts.find((one) => one.name === name)
    if (draft)
      takeRow(draft, line, { access: cell('access'), sideEffects: cell('sideeffects'), approval: cell('approvalrequired') }) // biome-ignore format: one line
    else {
      const message = `The table has a row for '${name}', of which the document has no contract.`
      note({ line, kind: 'wrong', code: 'table-unknown-tool', severity: 'error', message })
    }
  }
}

function takeRow(draft: Draft, line: number, { access, sideEffects, approval }: { [name: string]: string }) {
  const asks = /^yes\b/i.test(approval!) ? 'ask' : /^no\b/i.test(approval!) ? 'never' : undefined
  if (asks && draft.has('approval') && draft.source.approval !== asks && !draft.isAssumed('/approval')) {
    const message = `The table says '${approval}' about approval, and the section of the tool something else.`
    draft.note({ line, kind: 'wrong', code: 'table-disagrees', severity: 'error', pointer: '/approval', message })
  } else if (asks) draft.take('approval', asks, line)
  if (/^none\b/i.test(sideEffects!)) draft.take('risk', 'read_only', line)
  if (/^append/i.test(sideEffects!))
    draft.assume('risk', 'safe_write', { line, message: 'What only appends was taken for safe_write.' })
  if (!access || !sideEffects || draft.has('summary')) return
  // Skip values that are derived from the contract anyway.
  const { effects = {}, risk = 'dangerous' } = draft.source as unknown as Partial<Contract>
  const derived = toSummary({ effects, risk, approval: 'never' })
  if (derived.access !== access || derived.sideEffects !== sideEffects)
    draft.take('summary', { access, sideEffects }, line)
}

/** Errors that the pipeline returns for every tool. */
const pipelineStatuses = [400, 429, 500]

function readErrorTable(table: Table, drafts: readonly Draft[], note: Note) {
  const columns = columnsOf(table)
  const errors: JsonObject[] = []
  for (const { line, cells } of table.rows.slice(1)) {
    const status = Number(cells[columns.code!])
    const words = cells[columns.description!] ?? ''
    if (!Number.isInteger(status) || status < 400 || status > 599) continue
    if (pipelineStatuses.includes(status)) {
      const message = `What ends with ${status} is checked before a tool runs, or fails as every tool may. It needs no declaration.`
      note({ line, kind: 'left', code: 'error-of-pipeline', message })
    } else errors.push({ code: toCode(words), ...toError(words, toCode(words), status) })
  }
  if (errors.length === 0) return
  const message = 'The table says of no error which tool has it: each tool got all, unless its access is public.'
  for (const draft of drafts) {
    const { access } = (draft.source.summary ?? {}) as JsonObject
    if (access !== 'Public') draft.assume('errors', errors, { line: table.line, message })
  }
}
