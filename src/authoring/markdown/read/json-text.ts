import { pointerTo } from '../../../contract/schema/json-pointer.ts'

interface Token {
  readonly text: string
  readonly offset: number
}

/** Tokens: strings, punctuation, comments and other words. Matches any text in linear time. */
const tokens = /"(?:\\.|[^"\\\n])*"|\/\/[^\n]*|[{}[\],:]|[^\s"{}[\],:/]+|[\s\S]/g

function* tokensOf(text: string): Generator<Token> {
  for (const found of text.matchAll(tokens)) if (found[0].trim() !== '') yield { text: found[0], offset: found.index }
}

/** Replaces comments by spaces; undefined if there are none. */
export function withoutComments(text: string): string | undefined {
  const rest = text.replaceAll(tokens, (token) => (token.startsWith('//') ? ' '.repeat(token.length) : token))
  return rest === text ? undefined : rest
}

/** Length of the object or list at the start of the text. */
export function lengthOfJson(text: string): number | undefined {
  let depth = 0
  for (const { text: token, offset } of tokensOf(text)) {
    if (token === '{' || token === '[') depth++
    if (depth === 0) return undefined
    if (token === '}' || token === ']') depth--
    if (depth === 0) return offset + 1
  }
  return undefined
}

/** Longer pointers are not stored; lookups fall back to the parent's row. */
const maxPointer = 300

/** The 0-based row of each part of a valid JSON text, by pointer; the row of the key if it has one. */
export function rowsOf(text: string): ReadonlyMap<string, number> {
  const rows = new Map([['', 0]])
  const open: { readonly pointer: string; at: string | number; wantsKey: boolean }[] = []
  let row = 0
  let counted = 0
  for (const { text: token, offset } of tokensOf(text)) {
    for (; counted < offset; counted++) if (text[counted] === '\n') row++
    const inside = open.at(-1)
    const pointer = inside ? pointerTo(inside.pointer, inside.at) : ''
    if (token === '}' || token === ']') open.pop()
    else if (token === ':') inside!.wantsKey = false
    else if (token === ',') {
      if (typeof inside!.at === 'number') inside!.at++
      else inside!.wantsKey = true
    } else if (inside?.wantsKey) {
      inside.at = JSON.parse(token) as string
      keep(pointerTo(inside.pointer, inside.at))
    } else {
      keep(pointer)
      if (token === '{') open.push({ pointer, at: '', wantsKey: true })
      if (token === '[') open.push({ pointer, at: 0, wantsKey: false })
    }
  }
  return rows

  function keep(pointer: string) {
    if (pointer.length <= maxPointer && !rows.has(pointer)) rows.set(pointer, row)
  }
}
