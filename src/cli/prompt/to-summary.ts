import { isAbsolute, normalize, sep } from 'node:path'
import type { ApprovalDetails } from '../../pipeline/approver.ts'
import type { Place } from '../../pipeline/foresee.ts'
import { type Painted, type Part, paint } from '../terminal.ts'
import { reveal } from './reveal.ts'
import { clip, type Row, toCount, toDiffRows, toRows } from './rows.ts'
import { showValue } from './show-value.ts'

export interface ScreenSize {
  readonly columns: number
  readonly rows: number
}

const mostFactRows = 3
/** Rows that the question itself takes, with the empty ones around it. */
const questionRows = 6

/** What a call would do, as much of it as fits on the screen above the question. What does not fit is told. */
export function toSummary(details: ApprovalDetails, { columns, rows }: ScreenSize): Row[] {
  const width = columns - 1
  const name = toName(details, width)
  const facts = toFacts(details, width, mostFactRows)
  const changes = toChangeRows(details, width)
  const free = rows - questionRows - name.length - 1 - facts.length
  const parameters = clip(
    toParameters(details, width, rows),
    Math.max(4, free - Math.min(changes.length, Math.max(4, Math.floor(free / 2)))),
  )
  return [
    ...name,
    [paint('bold', 'Parameters:'), ...(parameters.length === 0 ? [' none'] : [])],
    ...parameters,
    ...facts,
    ...clip(changes, Math.max(4, free - parameters.length)),
  ]
}

export function toName({ tool, contract: { name } }: ApprovalDetails, width: number): Row[] {
  const toolset = tool.endsWith(`.${name}`) ? tool.slice(0, -name.length - 1) : tool
  const parts = [...reveal(name).parts, paint('dim', ' of '), ...reveal(toolset).parts]
  return toRows(paint('bold', 'Tool: '), parts, { width, indent: 4 })
}

function toParameters({ input, effects, foreseen }: ApprovalDetails, width: number, rows: number): Row[] {
  const named = new Set(Object.values(effects).flat())
  const shown = foreseen.changes.flatMap(({ lines }) => lines.map(({ text }) => text)).join('\n')
  const room = width * Math.max(3, Math.floor(rows / 4))
  return Object.entries(input).flatMap(([key, value]) => {
    const isEffect = named.has(typeof value === 'string' ? value : JSON.stringify(value))
    const isInChanges = typeof value === 'string' && shown.includes(value.replace(/\n$/, ''))
    const parts = showValue(value, { isEffect, isInChanges, room })
    return toRows('  ', [...reveal(key, 8).parts, ': ', ...parts], { width, indent: 6 })
  })
}

/** What is known about the call beside its parameters. Bounded: each fact takes a few rows at most. */
export function toFacts(details: ApprovalDetails, width: number, most: number): Row[] {
  const { effects, contract, foreseen, caller, reason } = details
  const fact = (heading: string, parts: readonly Part[]) =>
    clip(toRows(paint('bold', `${heading}: `), parts, { width, indent: 4 }), most)
  const list = (heading: string, values: readonly string[]) =>
    values.length === 0 ? [] : fact(heading, values.flatMap((value, index) => [...(index ? [', '] : []), ...reveal(value, 8).parts])) // biome-ignore format: one line
  const marks = toMarks(details)
  return [
    ...list('Files affected', effects.writes),
    ...list(
      'Files read',
      effects.reads.filter((path) => !effects.writes.includes(path)),
    ),
    ...clip(
      foreseen.places.filter(isKnown).flatMap((place) => fact('Real path', toPlace(place))),
      most,
    ),
    ...list('Host', effects.fetches.map(toHost)),
    ...(foreseen.sandbox === undefined ? [] : fact('Sandbox', reveal(foreseen.sandbox).parts)),
    ...fact('Risk level', [paint(riskStyles[contract.risk], contract.risk)]),
    ...fact('Asked by', [...reveal(caller.name).parts, '. ', ...reveal(reason).parts]),
    ...(foreseen.problem === undefined ? [] : fact('Look ahead', reveal(foreseen.problem).parts)),
    ...(marks.length === 0 ? [] : fact('Careful', [paint('yellow', marks)])),
  ]
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

/** Characters in the input that a person would not see, or take for others, wherever they stand. */
function toMarks({ input }: ApprovalDetails): string {
  const found = new Set<string>()
  for (const [key, value] of Object.entries(input)) {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    for (const line of [key, ...text.split(/[\n\t]|\r\n/)]) for (const mark of reveal(line).marks) found.add(mark)
  }
  const marks = [...found]
  const more = marks.length - mostMarks
  const list = marks.slice(0, mostMarks).join(', ')
  return marks.length === 0 ? '' : `unusual characters: ${list}${more > 0 ? ` and ${more} more kinds` : ''}`
}

const mostMarks = 6

export function toChangeRows({ foreseen }: ApprovalDetails, width: number): Row[] {
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
