import { isCollection, isMap, isPair, isScalar, isSeq, type Node, type Pair, parseDocument, stringify } from 'yaml'
import type { JsonObject } from '../../contract/json.ts'

interface YamlPlace {
  readonly key: string
  readonly name: string
  readonly isList: boolean
}

/**
 * Sets a server in a top-level map or list of a YAML document. Lines are spliced into the text to preserve its layout; only
 * documents that do not use block style are serialized again. The caller checks the result.
 */
export function setYamlServer(text: string, place: YamlPlace, entry: JsonObject): string {
  const span = findItem(text, place)
  const edited = span ? splice(text, span, toItem(text, place, entry)) : insert(text, place, entry)
  return edited ?? rewrite(text, place, entry)
}

export function removeYamlServer(text: string, place: YamlPlace): string {
  const span = findItem(text, place)
  // Removing the last one leaves an empty collection, which has no block style.
  return span && !span.isOnly ? splice(text, span, () => '') : rewrite(text, place, undefined)
}

/** Undefined if the collection is not in block style. */
function insert(text: string, place: YamlPlace, entry: JsonObject): string | undefined {
  const { key } = place
  const document = parseDocument(text)
  const item = toItem(text, place, entry)
  const ended = text === '' || text.endsWith('\n') ? text : `${text}${toNewLine(text)}`
  if (!document.has(key))
    return document.contents === null || isMap(document.contents) ? `${ended}${key}:${toNewLine(text)}${item('  ')}` : undefined // biome-ignore format: one line
  const items = document.get(key, true) as Node | undefined
  if (!isCollection(items) || items.flow || !items.range) return undefined
  const first = startOf(items.items[0])
  if (first === undefined) return undefined
  const end = toLineEnd(ended, items.range[1])
  return splice(ended, { start: end, end, indent: toIndent(text, first) }, item)
}

interface ItemSpan {
  readonly start: number
  readonly end: number
  readonly indent: string
}

/** The server's lines. Undefined if it does not exist or is not in block style. */
function findItem(text: string, { key, name, isList }: YamlPlace): (ItemSpan & { isOnly: boolean }) | undefined {
  const items = parseDocument(text).get(key, true) as Node | undefined
  if (!isCollection(items) || items.flow) return undefined
  const item = (items.items as unknown[]).find((each) =>
    isList ? isMap(each) && each.get('name') === name : isPair(each) && isScalar(each.key) && each.key.value === name,
  )
  const start = startOf(item)
  const end = (isPair(item) ? (item.value as Node | null) : (item as Node | undefined))?.range?.[1]
  if (start === undefined || end === undefined) return undefined
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  return {
    start: lineStart,
    end: toLineEnd(text, end),
    indent: toIndent(text, start),
    isOnly: items.items.length === 1,
  }
}

function splice(text: string, { start, end, indent }: ItemSpan, item: (indent: string) => string): string {
  return text.slice(0, start) + item(indent) + text.slice(end)
}

/** The offset after the line with the last non-whitespace character. */
function toLineEnd(text: string, at: number): number {
  const index = text.indexOf('\n', text.slice(0, at).trimEnd().length)
  return index === -1 ? text.length : index + 1
}

function toIndent(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1))![0]
}

function toNewLine(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n'
}

function startOf(item: unknown): number | undefined {
  if (isPair(item)) return ((item as Pair).key as Node | null)?.range?.[0]
  return (item as Node | undefined)?.range?.[0]
}

/** Serializes the whole document. Keeps comments but not the layout. */
function rewrite(text: string, { key, name, isList }: YamlPlace, entry: JsonObject | undefined): string {
  const document = parseDocument(text)
  if (isList) {
    const items = document.get(key)
    if (!isSeq(items)) document.set(key, document.createNode([]))
    const list = document.get(key)
    if (isSeq(list)) {
      const index = list.items.findIndex((item) => isMap(item) && item.get('name') === name)
      const added = entry === undefined ? [] : [document.createNode({ name, ...entry })]
      list.items.splice(index < 0 ? list.items.length : index, index < 0 ? 0 : 1, ...added)
      if (list.items.length > 0) list.flow = false
    }
  } else if (entry === undefined) document.deleteIn([key, name])
  else {
    if (!isMap(document.get(key))) document.set(key, document.createNode({}))
    document.setIn([key, name], document.createNode(entry))
  }
  return document.toString({ lineWidth: 0 })
}

function toItem(text: string, { name, isList }: YamlPlace, entry: JsonObject): (indent: string) => string {
  const lines = stringify(isList ? [{ name, ...entry }] : { [name]: entry }, { lineWidth: 0 })
    .trimEnd()
    .split('\n')
  return (indent) => lines.map((line) => `${indent}${line}${toNewLine(text)}`).join('')
}
