import type { JsonValue } from '../../contract/json.ts'
import { type Part, paint } from '../terminal.ts'
import { reveal } from './reveal.ts'
import { toCount } from './rows.ts'

interface ShowOptions {
  /** It names something in the world: a path, an address, a command. Such a value is shown, however long. */
  readonly isEffect: boolean
  /** It stands in the changes that are shown anyway. */
  readonly isInChanges: boolean
  /** How many characters of an effect there is room for. */
  readonly room: number
}

const longestValue = 200
/** What is shorter is shown though it stands in the changes too. */
const shortestHidden = 20

/** A value for the list of parameters: as it is where it is short, else its size. */
export function showValue(value: JsonValue, { isEffect, isInChanges, room }: ShowOptions): readonly Part[] {
  const isText = typeof value === 'string'
  const text = isText ? value : JSON.stringify(value)
  if (isEffect) return text.length <= room ? quoted(text, isText) : withoutMiddle(text, room)
  const isLong = text.length > longestValue || /[\n\r]/.test(text)
  if (isLong || (isText && isInChanges && Buffer.byteLength(text) >= shortestHidden)) return [toSize(text)]
  return quoted(text, isText)
}

/** `<20 bytes>`, with the number of lines where there are several. */
export function toSize(text: string): string {
  const lines = text.replace(/\n$/, '').split('\n').length
  const bytes = toCount(Buffer.byteLength(text), 'byte')
  return lines > 1 ? `<${bytes}, ${toCount(lines, 'line')}>` : `<${bytes}>`
}

/** Text stands without quotes unless something else could be meant by it, or its ends could not be seen. */
function quoted(text: string, isText: boolean): readonly Part[] {
  const { parts } = reveal(text, 8)
  return isText && (/^$|^[\s"<[{]|\s$/.test(text) || isJson(text)) ? ['"', ...parts, '"'] : parts
}

function isJson(text: string): boolean {
  return /^(?:-?\d[\d.eE+-]*|true|false|null)$/.test(text)
}

/** Both ends: what a command does may stand in either. */
function withoutMiddle(text: string, room: number): readonly Part[] {
  const start = Math.floor((room * 2) / 3)
  const end = Math.floor(room / 3)
  const cut = paint(['black', 'bgYellow'], `[${toCount(text.length - start - end, 'character')} more: v shows them]`)
  return [...reveal(text.slice(0, start), 8).parts, cut, ...reveal(text.slice(-end), 8).parts]
}
