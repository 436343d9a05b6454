import type { JsonValue } from '../../../contract/json.ts'
import { pointerTo } from '../../../contract/schema/json-pointer.ts'
import { parseJson } from '../../../contract/schema/parse-json.ts'
import type { Code } from './block.ts'
import type { Finding, Note } from './draft.ts'

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

/** A JSON value and the lines of its parts. */
export interface Placed {
  readonly value: JsonValue
  /** The line of a part, or of its nearest known parent. */
  readonly lineOf: (pointer: string) => number
}

export const jsonLimits = { maxBytes: 1_048_576, maxDepth: 96 }

/** Parses a block of JSON and reports errors. */
export function readJson(
  { text, line, firstLine }: Code,
  note: Note,
  about: Partial<Finding> = {},
): Placed | undefined {
  const parsed = parseJson(text, jsonLimits)
  if (parsed.ok) return { value: parsed.value, lineOf: toLines(text, firstLine) }
  const plain = withoutComments(text)
  const again = plain === undefined ? undefined : parseJson(plain, jsonLimits)
  if (again?.ok) {
    const message = 'JSON has no comments. They were ignored.'
    note({ ...about, line, kind: 'wrong', code: 'json-comments', severity: 'warning', message, fix: 'Take them out.' })
    return { value: again.value, lineOf: toLines(plain!, firstLine) }
  }
  const { syntax } = parsed
  const fault = syntax ? `Not valid JSON: ${syntax.fault}. Correct the text there.` : parsed.message
  note({
    ...about,
    line: syntax ? firstLine + syntax.line - 1 : line,
    kind: 'wrong',
    code: 'json-invalid',
    severity: 'error',
    message: `This block is not valid JSON: ${fault}`,
  })
  return undefined
}

function toLines(text: string, firstLine: number): Placed['lineOf'] {
  let rows: ReturnType<typeof rowsOf> | undefined
  return (pointer) => {
    rows ??= rowsOf(text)
    for (let place = pointer; place !== ''; place = place.slice(0, place.lastIndexOf('/'))) {
      const row = rows.get(place)
      if (row !== undefined) return firstLine + row
    }
    return firstLine
  }
}
