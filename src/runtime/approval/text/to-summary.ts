import { isAbsolute, normalize, sep } from 'node:path'
import { type Painted, type Part, paint } from '../../../contract/text/painted.ts'
import type { ApprovalDetails } from '../approver.ts'
import type { Place } from '../foresee.ts'
import { reveal } from './reveal.ts'
import { clip, type Row, toCount, toDiffRows, toRows } from './rows.ts'
import { showValue } from './show-value.ts'

export interface ScreenSize {
  readonly columns: number
  readonly rows: number
}

export interface SummaryOptions extends ScreenSize {
  /** How to see what does not fit, such as `type v`. Absent if there is no way. */
  readonly hint?: string
}

/** Input of the summary. `waitsUntil`: when the question expires, in milliseconds since 1970. */
export type Shown = ApprovalDetails & { readonly waitsUntil?: number }

/** The last line of every question. */
export const question = 'Approve? (y/n/always):'

const maxFactRows = 3

/** Rows of the question itself and the hints above it. */
const questionRows = 8

/**
 * How every surface shows a call to the person who decides: tool, parameters, files affected and risk level first, then
 * other facts. Fills the rows above the question, and shows what is left out.
 */
export function toSummary(details: Shown, { columns, rows, hint }: SummaryOptions): Row[] {
  const width = columns - 1
  const name = toName(details, width)
  const facts = toFacts(details, width, { most: maxFactRows, hint })
  const [files, risk] = [toFiles(details, width, { most: maxFactRows, hint }), toRisk(details)]
  const changes = toChangeRows(details, width)
  const free = rows - questionRows - name.length - files.length - 2 - facts.length
  const parameters = clip(
    toParameters(details, width, { rows, hint }),
    Math.max(4, free - Math.min(changes.length, Math.max(4, Math.floor(free / 2)))),
    hint,
  )
  return [
    ...[...name, toParametersHeading(parameters), ...parameters, ...files, risk],
    ...facts,
    ...clip(changes, Math.max(4, free - parameters.length), hint),
  ]
}

export function toName({ contract: { name } }: ApprovalDetails, width: number): Row[] {
  return toRows(paint('bold', 'Tool: '), reveal(name).parts, { width, indent: 4 })
}

export function toParametersHeading(parameters: readonly Row[]): Row {
  return [paint('bold', 'Parameters:'), ...(parameters.length === 0 ? [' none'] : [])]
}

export function toParameters(
  { input, effects, texts, foreseen }: ApprovalDetails,
  width: number,
  { rows, hint }: { rows: number; hint: string | undefined },
): Row[] {
  const named = new Set(Object.values(effects).flat())
  const lines = foreseen.changes.flatMap(({ lines }) => lines)
  const shown = lines.map(({ text }) => text).join('\n')
  const added = lines.filter(({ kind }) => kind === 'added').map(({ text }) => text)
  const room = Math.min(width, 200) * Math.max(3, Math.floor(rows / 4))
  return Object.entries(input).flatMap(([key, value]) => {
    const isEffect = named.has(typeof value === 'string' ? value : JSON.stringify(value))
    const text = typeof value === 'string' && texts.includes(key) ? value.replace(/\n$/, '') : undefined
    const isContent = text !== undefined && lines.length > 0 && text === added.join('\n')
    const isInChanges = text !== undefined && shown.includes(text)
    const parts = showValue(value, { isEffect, isContent, isInChanges, room, hint })
    return toRows('  ', [...reveal(key, 8).parts, ': ', ...parts], { width, indent: 6 })
  })
}

interface FactOptions {
  /** Max rows per fact. */
  readonly most: number
  readonly hint: string | undefined
}

/** What the call would write, according to its contract and preview. */
export function toFiles({ effects, contract, foreseen }: ApprovalDetails, width: number, options: FactOptions): Row[] {
  const { writes, runs } = effects
  const files = writes.length > 0 ? writes : foreseen.changes.map(({ path }) => path)
  if (files.length > 0) return toFact('Files affected', toList(files), { width, ...options })
  const saysNothing = Object.values(effects).flat().length === 0 && contract.risk !== 'read_only'
  const unknown = runs.length > 0 ? 'unknown: a command may change any' : 'unknown: the contract names none'
  const text = runs.length > 0 || saysNothing ? unknown : 'none'
  return toFact('Files affected', [text], { width, ...options })
}

export function toRisk({ contract: { risk } }: ApprovalDetails): Row {
  return [paint('bold', 'Risk level: '), paint(riskStyles[risk], risk)]
}

/** Other facts about the call, each limited to a few rows. */
export function toFacts(details: Shown, width: number, options: FactOptions): Row[] {
  const { tool, contract, contractDigest, workspace, effects, foreseen, caller, reason, waitsUntil } = details
  const fact = (heading: string, parts: readonly Part[]) => toFact(heading, parts, { width, ...options })
  const list = (heading: string, values: readonly string[]) => (values.length === 0 ? [] : fact(heading, toList(values))) // biome-ignore format: one line
  const toolset = tool.endsWith(`.${contract.name}`) ? tool.slice(0, -contract.name.length - 1) : tool
  const marks = toMarks(details)
  const steps = (foreseen.steps ?? []).flatMap((line, index) => fact(`Step ${index + 1}`, reveal(line).parts))
  const places = foreseen.places.filter(isKnown).flatMap((place) => fact('Real path', toPlace(place)))
  return [
    ...fact('Toolset', [...reveal(toolset).parts, `, contract ${contractDigest.slice(0, shownDigest)}`]),
    ...(workspace === '' ? [] : fact('Folder', reveal(workspace, 8).parts)),
    ...list(
      'Files read',
      effects.reads.filter((path) => !effects.writes.includes(path)),
    ),
    ...clip(places, options.most, options.hint),
    ...list('Host', effects.fetches.map(toHost)),
    ...clip(steps, options.most * 4, options.hint),
    ...(foreseen.sandbox === undefined ? [] : fact('Sandbox', reveal(foreseen.sandbox).parts)),
    ...fact('Asked by', [...reveal(caller.name).parts, '. ', ...reveal(reason).parts]),
    ...(waitsUntil === undefined ? [] : fact('Time left', [toTimeLeft(waitsUntil - Date.now())])),
    ...(foreseen.problem === undefined ? [] : fact('Look ahead', reveal(foreseen.problem).parts)),
    ...(marks.length === 0 ? [] : fact('Careful', [paint('yellow', marks)])),
  ]
}

/** Shortened for display; the answer is bound to the whole digest. */
const shownDigest = 19

function toFact(
  heading: string,
  parts: readonly Part[],
  { width, most, hint }: FactOptions & { width: number },
): Row[] {
  return clip(toRows(paint('bold', `${heading}: `), parts, { width, indent: 4 }), most, hint)
}

function toList(values: readonly string[]): Part[] {
  return values.flatMap((value, index) => [...(index > 0 ? [', '] : []), ...reveal(value, 8).parts])
}

function toTimeLeft(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} minutes`
}

const riskStyles: { readonly [risk in ApprovalDetails['contract']['risk']]: Painted['style'] } = {
  read_only: 'green',
  safe_write: 'yellow',
  dangerous: 'red',
}

function isKnown({ real, problem }: Place): boolean {
  return real !== undefined || problem !== undefined
}

function toPlace({ path, real = '', exists, problem }: Place): readonly Part[] {
  if (problem !== undefined) return [paint('red', 'none. '), ...reveal(problem).parts]
  const named = normalize(path)
  const isLinked = named !== '.' && !real.endsWith(isAbsolute(named) ? named : `${sep}${named}`)
  return [
    ...reveal(real, 8).parts,
    ...(exists ? [] : [paint('dim', ' (new)')]),
    ...(isLinked ? [paint('yellow', ' (elsewhere than the path says)')] : []),
  ]
}

function toHost(url: string): string {
  return URL.parse(url)?.host ?? 'none'
}

/** Invisible and misleading characters anywhere in the input. */
function toMarks({ input }: ApprovalDetails): string {
  const found = new Set<string>()
  for (const [key, value] of Object.entries(input)) {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    for (const line of [key, ...text.split(/[\n\t]|\r\n/)]) for (const mark of reveal(line).marks) found.add(mark)
  }
  const marks = [...found]
  const more = marks.length - maxMarks
  const list = marks.slice(0, maxMarks).join(', ')
  return marks.length === 0 ? '' : `unusual characters: ${list}${more > 0 ? ` and ${more} more kinds` : ''}`
}

const maxMarks = 6

export function toChangeRows({ foreseen }: Pick<ApprovalDetails, 'foreseen'>, width: number): Row[] {
  return foreseen.changes.flatMap(({ path, kind, lines, added, removed }) => {
    const counts = [added > 0 ? `${toCount(added, 'line')} added` : '', removed > 0 ? `${toCount(removed, 'line')} removed` : ''] // biome-ignore format: one line
    const about = { new: 'new file', edit: 'edit', removal: 'removed' }[kind]
    const rest = [about, ...counts].filter(Boolean).join(', ')
    return [
      ...toRows(paint('bold', 'Changes: '), [...reveal(path, 8).parts, ` (${rest})`], { width, indent: 4 }),
      ...toDiffRows(lines, width),
    ]
  })
}
