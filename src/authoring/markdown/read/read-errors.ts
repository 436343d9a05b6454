import type { Contract } from '../../../contract/contract.ts'
import { pipelineErrors } from '../../../contract/error-codes.ts'
import { isObject, type JsonObject, type JsonValue } from '../../../contract/json.ts'
import { toSummary } from '../../../projections/summary.ts'
import { type Block, type Table, textOf } from './block.ts'
import { type Draft, type Note, toExcerpt } from './draft.ts'
import { type Placed, readJson } from './json-text.ts'
import { codesOf, type Part } from './read-parts.ts'

/** Reads errors as JSON, `[{ "code", "http_status", … }]`, or from prose. */
export function readErrors(part: Part, draft: Draft): void {
  const [code] = codesOf(part)
  if (code) {
    const placed = readJson(code, (finding) => draft.note(finding), { pointer: '/errors' })
    if (placed) takeErrors(placed, draft)
  } else takeCases(part, draft)
}

function takeErrors({ value, lineOf }: Placed, draft: Draft) {
  if (!Array.isArray(value)) {
    const message = 'The errors are not a list.'
    draft.note({
      line: lineOf(''),
      kind: 'wrong',
      code: 'errors-unread',
      severity: 'error',
      message,
      fix: 'Write a list.',
    })
    return
  }
  if (draft.has('errors')) return
  const silent: string[] = []
  const errors = value.map((entry, index): JsonValue => {
    if (!isObject(entry)) return entry
    const { http_status, description, ...rest } = entry
    const error = {
      ...rest,
      ...(http_status !== undefined && rest.status === undefined && { status: http_status }),
      ...(typeof description === 'string' && rest.when === undefined && { when: description }),
    } as JsonObject
    const words = toWords(String(error.code), Number(error.status))
    for (const field of ['when', 'suggestion'] as const) {
      if (error[field] !== undefined) continue
      error[field] = words[field]
      silent.push(`/errors/${index}/${field}`)
    }
    return { code: error.code ?? null, status: error.status ?? null, ...error }
  })
  draft.take('errors', errors, lineOf)
  if (silent.length === 0) return
  draft.assumed.push(...silent)
  const message = 'The errors do not say when they happen and what to do then. Words were made from their codes.'
  draft.note({ line: lineOf(''), kind: 'assumed', code: 'errors-words', pointer: '/errors', message })
}

/** "- File not found: …" */
function takeCases({ blocks, line }: Part, draft: Draft) {
  const errors: JsonObject[] = []
  for (const item of blocks.flatMap((block: Block) => (block.kind === 'list' ? block.items : []))) {
    const text = textOf(item.inlines)
    const [label = '', said = ''] = text.split(/:\s*(.*)/s)
    if (/^["“'`]?warning\b/i.test(said)) {
      const message = 'This is a warning, not an error; contracts cannot contain it.'
      draft.note({ line: item.line, kind: 'left', code: 'warning-in-words', message, text: toExcerpt(text) })
      continue
    }
    const code = toCode(label)
    if (code !== '' && !errors.some((error) => error.code === code)) errors.push({ code, ...toError(label, code) })
  }
  if (errors.length === 0) return
  const message = 'The errors are in words: their codes, statuses and suggestions were made from these.'
  draft.assume('errors', errors, { line, message })
}

/** An error described in prose. */
function toError(label: string, code: string, status = toStatus(label)): JsonObject {
  const { suggestion } = toWords(code, status)
  return { status, when: `${label.replaceAll(/\s+/g, ' ').replace(/[.\s]*$/, '')}.`, suggestion }
}

/** `File not found (or gone)` becomes file_not_found. */
function toCode(label: string): string {
  const words = label.replace(/\(.*?\)/g, ' ').toLowerCase()
  return words
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replace(/^[_0-9]+|_+$/g, '')
    .slice(0, 60)
    .replace(/_+$/, '')
}

const statuses: readonly (readonly [RegExp, number])[] = [
  [/time.?out|timed out/i, 504],
  [/not found|no (such|previous)|missing|unknown/i, 404],
  [/denied|permission|outside|forbidden|blocked/i, 403],
  [/exists|conflict|busy/i, 409],
  [/too (large|many|long|big)/i, 413],
  [/rate/i, 429],
  [/network|upstream|connection/i, 502],
  [/invalid|malformed|not a\b/i, 400],
]

function toStatus(label: string): number {
  return statuses.find(([words]) => words.test(label))?.[1] ?? 422
}

function toWords(code: string, status: number): { when: string; suggestion: string } {
  const known = Object.entries(pipelineErrors).find(([name]) => name === code)?.[1]
  if (known) return { when: known.when, suggestion: known.suggestion }
  const words = code.replaceAll('_', ' ')
  const when = `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
  return { when, suggestion: status < 500 ? 'Correct the input and call again.' : 'Call again a little later.' }
}

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
