import type { JsonObject, JsonValue } from '../contract/json.ts'
import { toStrictJson, withoutComments } from './strict-json.ts'

/**
 * Sets one member of hand-written JSON and leaves every other character as it is: parsing and serializing would lose layout,
 * comments and the order of numeric keys. The text must be a valid JSON object, apart from comments and trailing commas.
 *
 * `setMember('{ "a": 1 }', ['a'], 2)` is `{ "a": 2 }`. Missing objects along the path are created.
 */
export function setMember(text: string, path: readonly string[], value: JsonValue): string {
  const { object, member, left } = find(toStrictJson(text), path)
  const layout = toLayout(text, object)
  if (member) return splice(text, member.start, member.end, render(value, layout))
  const [key, ...inner] = left
  const whole = inner.reduceRight<JsonValue>((inside, name) => ({ [name]: inside }) as JsonObject, value)
  const added = `${JSON.stringify(key)}:${layout.isOneLine && !text.includes('": ') ? '' : ' '}${render(whole, layout)}`
  const last = object.members.at(-1)
  const lead = layout.isOneLine ? ' ' : `${layout.newLine}${layout.indent}${layout.unit}`
  // Comments before the closing brace stay where they are, above the new member.
  const end = text.slice(0, object.end - 1).trimEnd().length
  if (!last) {
    const close = layout.isOneLine ? ' ' : `${layout.newLine}${layout.indent}`
    return splice(text, end, object.end - 1, `${lead}${added}${close}`)
  }
  const isClosed = withoutComments(text).slice(last.end, end).includes(',')
  const extended = splice(text, end, end, `${lead}${added}${isClosed ? ',' : ''}`)
  return isClosed ? extended : splice(extended, last.end, last.end, ',')
}

/** Removes one member and its comma. A missing member is not an error. */
export function removeMember(text: string, path: readonly string[]): string {
  const { object, member, left } = find(toStrictJson(text), path)
  if (!member || left.length > 0) return text
  const bare = withoutComments(text)
  const isPlain = (start: number, end: number) => text.slice(start, end) === bare.slice(start, end)
  const index = object.members.indexOf(member)
  const before = object.members[index - 1]
  const after = object.members[index + 1]
  if (before && isPlain(before.end, member.keyStart)) return splice(text, before.end, member.end, '')
  if (!before && after && isPlain(member.end, after.keyStart)) return splice(text, member.keyStart, after.keyStart, '')
  if (!before && !after && isPlain(object.start, object.end)) return splice(text, object.start, object.end, '{}')
  return removeAmongComments(text, bare, { member, before })
}

function removeAmongComments(text: string, bare: string, { member, before }: { member: Member; before?: Member }) {
  const comma = skipSpace(bare, member.end)
  const end = bare[comma] === ',' ? comma + 1 : member.end
  // A member on its own line is removed with the line; a line comment before it keeps its line end.
  const endsLine = /^[ \t]*(?:\r?\n|$)/.test(text.slice(end))
  const start = endsLine ? text.slice(0, member.keyStart).trimEnd().length : member.keyStart
  const without = splice(text, start, end, '')
  if (end > member.end || !before) return without
  const separator = skipSpace(bare, before.end)
  return splice(without, separator, separator + 1, '')
}

interface ObjectSpan {
  readonly start: number
  readonly end: number
  readonly members: readonly Member[]
}

interface Member {
  readonly key: string
  readonly keyStart: number
  /** Range of its value. */
  readonly start: number
  readonly end: number
}

/** The member at the end of the path; otherwise the innermost existing object, and the rest of the path. */
function find(text: string, path: readonly string[]) {
  let object = readObject(text, skipSpace(text, 0))
  for (let depth = 0; ; depth++) {
    const member = object.members.find(({ key }) => key === path[depth])
    if (!member) return { object, member: undefined, left: path.slice(depth) }
    if (depth === path.length - 1) return { object, member, left: [] }
    if (text[member.start] !== '{') throw new TypeError(`${path.slice(0, depth + 1).join('.')} is not an object`)
    object = readObject(text, member.start)
  }
}

function readObject(text: string, start: number): ObjectSpan {
  const members: Member[] = []
  let at = skipSpace(text, start + 1)
  while (text[at] !== '}') {
    const keyEnd = skipValue(text, at)
    // Over the colon.
    const valueStart = skipSpace(text, skipSpace(text, keyEnd) + 1)
    const end = skipValue(text, valueStart)
    members.push({ key: JSON.parse(text.slice(at, keyEnd)), keyStart: at, start: valueStart, end })
    at = skipSpace(text, end)
    if (text[at] === ',') at = skipSpace(text, at + 1)
  }
  return { start, end: at + 1, members }
}

const spaces = /[ \t\r\n]*/y
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\]]|[^"{}[\],\s]+|[\s,]+/y

function skipSpace(text: string, at: number): number {
  spaces.lastIndex = at
  spaces.exec(text)
  return spaces.lastIndex
}

function skipValue(text: string, start: number): number {
  let depth = 0
  tokens.lastIndex = start
  do {
    const [token] = tokens.exec(text)!
    if (token === '{' || token === '[') depth++
    else if (token === '}' || token === ']') depth--
  } while (depth > 0)
  return tokens.lastIndex
}

interface Layout {
  readonly isOneLine: boolean
  readonly newLine: string
  /** Indentation of the line that the object starts on. */
  readonly indent: string
  /** Indentation of its members. */
  readonly unit: string
}

function toLayout(text: string, { start, end, members }: ObjectSpan): Layout {
  const lineStart = text.lastIndexOf('\n', start) + 1
  return {
    // An empty object has no style, so use that of the whole text.
    isOneLine: members.length > 0 ? !text.slice(start, end).includes('\n') : !text.trim().includes('\n') && text.trim() !== '{}', // biome-ignore format: one line
    newLine: text.includes('\r\n') ? '\r\n' : '\n',
    indent: /^[ \t]*/.exec(text.slice(lineStart, start))![0],
    unit: /\n([ \t]+)"/.exec(text)?.[1] ?? '  ',
  }
}

function render(value: JsonValue, { isOneLine, newLine, indent, unit }: Layout): string {
  if (isOneLine) return JSON.stringify(value)
  const text = JSON.stringify(value, null, unit).replace(plainLists, (list) => {
    const inline = list.replace(/\n\s*/g, ' ').replace(/^\[ | \]$/g, (bracket) => bracket.trim())
    return inline.length <= maxInlineList ? inline : list
  })
  return text.replaceAll('\n', `${newLine}${indent}${unit}`)
}

const maxInlineList = 100
/** A list of scalars as JSON.stringify writes it: short ones are easier to read on one line. */
const plainLists = /\[\n(?:\s*(?:"(?:[^"\\]|\\.)*"|[\w.+-]+),?\n)+\s*\]/g

function splice(text: string, start: number, end: number, middle: string): string {
  return text.slice(0, start) + middle + text.slice(end)
}
