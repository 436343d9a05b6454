import type { JsonValue } from '../../../contract/json.ts'
import { type Part, paint } from '../../../contract/text/painted.ts'
import { reveal } from './reveal.ts'
import { toMore } from './rows.ts'

interface ShowOptions {
  /** It names something in the world: a path, an address, a command. Such a value is shown, however long. */
  readonly isEffect: boolean
  /** It is all that would be written, which the changes show. */
  readonly isContent: boolean
  /** The changes show it among other text. */
  readonly isInChanges: boolean
  /** How many characters of an effect there is room for. */
  readonly room: number
  /** How to see the rest of one that is cut. */
  readonly hint: string | undefined
}

const maxValue = 200
/** What is shorter is shown though it stands in the changes too. */
const shortestHidden = 20

/** A value for the list of parameters: as it is if it is short, else its size. */
export function showValue(value: JsonValue, options: ShowOptions): readonly Part[] {
  const { isEffect, isContent, isInChanges, room, hint } = options
  const isText = typeof value === 'string'
  const text = isText ? value : JSON.stringify(value)
  if (isEffect) return text.length <= room ? quoted(text, isText) : withoutMiddle(text, room, hint)
  const isLong = text.length > maxValue || /[\n\r]/.test(text)
  const isShownBelow = isContent || (isInChanges && Buffer.byteLength(text) >= shortestHidden)
  return isLong || isShownBelow ? [toSize(text)] : quoted(text, isText)
}

/** `<20 bytes>` */
export function toSize(text: string): string {
  const bytes = Buffer.byteLength(text)
  return `<${bytes} ${bytes === 1 ? 'byte' : 'bytes'}>`
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
function withoutMiddle(text: string, room: number, hint: string | undefined): readonly Part[] {
  const start = Math.floor((room * 2) / 3)
  const end = Math.floor(room / 3)
  const cut = paint(['black', 'bgYellow'], `[${toMore(text.length - start - end, 'character', hint)}]`)
  return [...reveal(text.slice(0, start), 8).parts, cut, ...reveal(text.slice(-end), 8).parts]
}
