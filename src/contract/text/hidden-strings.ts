import type { JsonValue } from '../json.ts'
import { pointerTo } from '../schema/json-pointer.ts'
import { findHidden, type TextKind } from './hidden-characters.ts'

export interface HiddenString {
  /** JSON pointer to the string, or to the value whose key it is. */
  readonly pointer: string
  readonly character: string
}

interface Options {
  /** Default: `line` for keys and `/name`, `prose` for everything else, as in a tool definition. */
  readonly names?: TextKind
  readonly texts?: TextKind
  readonly max?: number
}

/** Finds strings and keys with hidden characters at any depth, in document order, at most `max`. */
export function findHiddenStrings(
  value: JsonValue,
  { names = 'line', texts = 'prose', max = 3 }: Options = {},
): HiddenString[] {
  const found: HiddenString[] = []
  // An explicit stack, because nesting is unbounded.
  const open: { value: JsonValue; pointer: string }[] = [{ value, pointer: '' }]
  for (let part = open.pop(); part && found.length < max; part = open.pop()) {
    const { value, pointer } = part
    if (typeof value === 'string') report(value, pointer, pointer === '/name' ? names : texts)
    if (typeof value !== 'object' || value === null) continue
    const entries = Object.entries(value)
    if (!Array.isArray(value)) for (const [key] of entries) report(key, pointerTo(pointer, key), names)
    for (const [key, item] of entries.reverse()) open.push({ value: item, pointer: pointerTo(pointer, key) })
  }
  return found.slice(0, max)

  function report(text: string, pointer: string, kind: TextKind): void {
    const character = findHidden(text, kind)
    if (character !== undefined) found.push({ pointer, character })
  }
}
