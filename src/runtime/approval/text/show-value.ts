import type { JsonValue } from '../../../contract/json.ts'
import { type Part, paint } from '../../../contract/text/painted.ts'
import { reveal } from './reveal.ts'
import { toMore } from './rows.ts'

interface ShowOptions {
  /** It names a path, a URL or a command. Always shown, whatever its length. */
  readonly isEffect: boolean
  /** It is the whole content to be written, which the changes show. */
  readonly isContent: boolean
  /** The changes contain it. */
  readonly isInChanges: boolean
  /** Max characters of an effect. */
  readonly room: number
  /** How to see the rest if it is cut. */
  readonly hint: string | undefined
}

const maxValue = 200
/** Shorter values are shown even if the changes contain them. */
const shortestHidden = 20

/** A parameter value: in full if short, else its size. */
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

/** Text is quoted only if it is ambiguous, or starts or ends with a space. */
function quoted(text: string, isText: boolean): readonly Part[] {
  const { parts } = reveal(text, 8)
  return isText && (/^$|^[\s"<[{]|\s$/.test(text) || isJson(text)) ? ['"', ...parts, '"'] : parts
}

function isJson(text: string): boolean {
  return /^(?:-?\d[\d.eE+-]*|true|false|null)$/.test(text)
}

/** Keeps both ends: either may contain what a command does. */
function withoutMiddle(text: string, room: number, hint: string | undefined): readonly Part[] {
  const start = Math.floor((room * 2) / 3)
  const end = Math.floor(room / 3)
  const cut = paint(['black', 'bgYellow'], `[${toMore(text.length - start - end, 'character', hint)}]`)
  return [...reveal(text.slice(0, start), 8).parts, cut, ...reveal(text.slice(-end), 8).parts]
}
