import { isDeepStrictEqual } from 'node:util'
import type { JsonObject, JsonValue } from '../../contract/json.ts'
import { removeMember, setMember } from '../../state/edit-json.ts'
import { toStrictJson } from '../../state/strict-json.ts'
import type { Format } from '../../surfaces/clients/client.ts'

/** Where a server is within the text of a client's config file. */
export interface ServerPlace {
  readonly format: Format
  readonly key: readonly string[]
  readonly name: string
  /** Servers are a list whose items have a `name`. */
  readonly isList?: boolean | undefined
  /** Additional content of a new file. */
  readonly newFile?: JsonObject | undefined
}

/** The text cannot be edited. The message continues a sentence that starts with the path. */
export class EditError extends Error {
  override readonly name = 'EditError'
}

/**
 * Sets a server in the text of a client's config file (undefined if it does not exist yet). All other lines and comments stay
 * unchanged. The result is parsed again and refused unless it has exactly the expected content.
 */
export async function setServer(text: string | undefined, place: ServerPlace, entry: JsonObject): Promise<string> {
  const { format, key, name, isList, newFile = {} } = place
  const start = text === undefined || text.trim() === '' ? await toNewText(format, newFile) : text
  const wanted = withServer(await parseText(start, format), place, entry)
  const edited = await edit()
  await mustHold(edited, format, wanted)
  return edited

  async function edit(): Promise<string> {
    if (format === 'json') return setMember(start, [...key, name], entry)
    if (format === 'toml') return (await import('./edit-toml.ts')).setTable(start, [...key, name], entry)
    return (await import('./edit-yaml.ts')).setYamlServer(start, { key: key[0]!, name, isList: isList ?? false }, entry)
  }
}

/** Removes the server and keeps everything else. */
export async function removeServer(text: string, place: ServerPlace): Promise<string> {
  const { format, key, name, isList } = place
  const wanted = withServer(await parseText(text, format), place, undefined)
  const edited = await edit()
  await mustHold(edited, format, wanted)
  return edited

  async function edit(): Promise<string> {
    if (format === 'json') return removeMember(text, [...key, name])
    if (format === 'toml') return (await import('./edit-toml.ts')).removeTable(text, [...key, name])
    return (await import('./edit-yaml.ts')).removeYamlServer(text, { key: key[0]!, name, isList: isList ?? false })
  }
}

/** The server's entry, if any. */
export async function readServer(text: string, place: ServerPlace): Promise<JsonObject | undefined> {
  if (text.trim() === '') return undefined
  const servers = place.key.reduce<unknown>((value, key) => get(value, key), await parseText(text, place.format))
  if (!place.isList) return get(servers, place.name) as JsonObject | undefined
  const found = Array.isArray(servers) ? servers.find((item) => get(item, 'name') === place.name) : undefined
  if (!found) return undefined
  const { name: _, ...entry } = found as JsonObject
  return entry
}

async function parseText(text: string, format: Format): Promise<unknown> {
  try {
    if (format === 'json') return JSON.parse(toStrictJson(text))
    if (format === 'toml') return (await import('smol-toml')).parse(text)
    return (await import('yaml')).parse(text)
  } catch (cause) {
    throw new EditError(`is not valid ${format.toUpperCase()}: ${(cause as Error).message.split('\n')[0]}`, { cause })
  }
}

async function toNewText(format: Format, content: JsonObject): Promise<string> {
  if (format === 'json') return `${JSON.stringify(content, null, 2)}\n`
  if (Object.keys(content).length === 0) return ''
  return (await import('yaml')).stringify(content)
}

/** The expected content after the edit. */
function withServer(root: unknown, place: ServerPlace, entry: JsonObject | undefined): unknown {
  const { key, name, isList } = place
  const [first, ...rest] = key
  if (root !== null && root !== undefined && !isPlainObject(root))
    throw new EditError('does not contain what was expected')
  const object = { ...(root as JsonObject | undefined) }
  if (first === undefined) return change(object, name, entry)
  if (rest.length > 0 || !isList) {
    if (entry === undefined && object[first] === undefined) return object
    return { ...object, [first]: withServer(object[first], { ...place, key: rest }, entry) }
  }
  const items = (object[first] ?? []) as JsonValue[]
  if (!Array.isArray(items)) throw new EditError(`has something other than a list at ${first}`)
  const index = items.findIndex((item) => get(item, 'name') === name)
  const added = entry === undefined ? [] : [{ name, ...entry }]
  return { ...object, [first]: index < 0 ? [...items, ...added] : items.toSpliced(index, 1, ...added) }
}

function change(object: { [key: string]: JsonValue }, name: string, entry: JsonObject | undefined): JsonObject {
  if (entry !== undefined) return { ...object, [name]: entry }
  const { [name]: _, ...others } = object
  return others
}

async function mustHold(text: string, format: Format, wanted: unknown): Promise<void> {
  const is = simplify(await parseText(text, format))
  if (!isDeepStrictEqual(is, simplify(wanted))) throw new EditError('is laid out in a way that cannot be edited safely')
}

/** Treats empty collections, absent ones and `null` as equal, and normalizes prototypes of parsed objects. */
function simplify(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(simplify)
  if (!isPlainObject(value)) return value
  const members = Object.entries(value).map(([key, inner]) => [key, simplify(inner)] as const)
  return Object.fromEntries(members.filter(([, inner]) => !isEmpty(inner)))
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'object' && !(value instanceof Date) && Object.keys(value).length === 0) // biome-ignore format: one line
}

function isPlainObject(value: unknown): value is { [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}

function get(value: unknown, key: string): unknown {
  return isPlainObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}
