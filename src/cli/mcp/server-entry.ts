import { basename, isAbsolute, resolve, sep } from 'node:path'
import { configSchema } from '../../config/config-schema.ts'
import type { JsonObject, JsonValue } from '../../contract/json.ts'
import { isObject } from './find-servers.ts'

export interface EntryContext {
  /** The folder that the other client has open. */
  readonly workspace: string
  /** The folder of our config. */
  readonly folder: string
  readonly home: string
}

export interface TakenEntry {
  readonly entry: JsonObject
  /** What is not as it was, and what to do about it. */
  readonly notes: readonly string[]
}

/** An entry as another client writes it, as ours. What forbids something is kept; what allows something is not taken over. */
export function toServerEntry(source: JsonObject, context: EntryContext): TakenEntry {
  const notes: string[] = []
  const entry: { [key: string]: JsonValue } = {}
  const leftOut: string[] = []
  for (const [given, value] of Object.entries(source)) {
    const key = Object.hasOwn(otherNames, given) ? otherNames[given]! : given
    if (given === 'enabled') {
      if (value === false) entry.disabled = true
    } else if (given === 'transport' || given === 'transportType') entry.type ??= value
    else if (ownKeys.includes(key)) entry[key] = value
    else if (!silent.includes(given)) leftOut.push(given)
  }
  splitCommand(entry)
  simplify(entry, notes)
  for (const key of ['command', 'args', 'env', 'cwd', 'url', 'headers'])
    if (entry[key] !== undefined) entry[key] = fillIn(entry[key], { context, notes })
  if (typeof entry.cwd === 'string' && !isAbsolute(entry.cwd) && context.workspace !== context.folder)
    entry.cwd = resolve(context.workspace, entry.cwd)
  if (leftOut.length > 0) notes.push(`${leftOut.join(', ')} ${leftOut.length === 1 ? 'has' : 'have'} no effect here, and ${leftOut.length === 1 ? 'is' : 'are'} left out.`) // biome-ignore format: one line
  return { entry, notes: [...new Set(notes)] }
}

const ownKeys = Object.keys(configSchema.properties.mcpServers.additionalProperties.properties)

const otherNames: { readonly [key: string]: string } = {
  httpUrl: 'url',
  serverUrl: 'url',
  environment: 'env',
  includeTools: 'tools',
  enabledTools: 'tools',
  excludeTools: 'exclude',
  disabledTools: 'exclude',
}

/** Nobody misses them. */
const silent = ['description', 'dev', 'gallery', 'icon', 'id', 'metadata', 'name', 'note', 'version']

/** Some clients write the command and its arguments as one list. */
function splitCommand(entry: { [key: string]: JsonValue }): void {
  if (!Array.isArray(entry.command)) return
  const [command, ...args] = entry.command
  entry.command = command ?? ''
  entry.args = [...args, ...(Array.isArray(entry.args) ? entry.args : [])]
}

/** Leaves out what says nothing. */
function simplify(entry: { [key: string]: JsonValue }, notes: string[]): void {
  if (entry.type !== 'sse') delete entry.type
  if (entry.disabled === false) delete entry.disabled
  if (Array.isArray(entry.tools) && entry.tools.includes('*')) delete entry.tools
  for (const key of ['args', 'env', 'headers', 'exclude'])
    if (entry[key] === null || (typeof entry[key] === 'object' && Object.keys(entry[key]).length === 0))
      delete entry[key]
  if (isObject(entry.env)) entry.env = toTexts(entry.env)
  if (entry.url === undefined) return
  for (const key of ['args', 'env', 'cwd'])
    if (entry[key] !== undefined) {
      delete entry[key]
      notes.push(`${key} has no effect on a server that is reached by its url, and is left out.`)
    }
}

function toTexts(env: JsonObject): JsonObject {
  const entries = Object.entries(env).filter(([, value]) => value !== null)
  return Object.fromEntries(entries.map(([name, value]) => [name, typeof value === 'object' ? value : String(value)]))
}

interface Filling {
  readonly context: EntryContext
  readonly notes: string[]
}

/** Variables of editors, as far as they mean something here. */
function fillIn(value: JsonValue, filling: Filling): JsonValue {
  if (typeof value === 'string') return value.replace(/\$\{([^{}]*)\}/g, (whole, inside: string) => toText(whole, inside, filling)) // biome-ignore format: one line
  if (Array.isArray(value)) return value.map((part) => fillIn(part, filling))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, fillIn(part, filling)]))
}

function toText(whole: string, inside: string, { context, notes }: Filling): string {
  const { workspace, home } = context
  const [, kind, name = ''] = /^([A-Za-z]+):(?!-)(.*)$/s.exec(inside) ?? []
  if (kind === 'env') return `\${${name}}`
  if (kind === 'input') {
    const variable = name.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase().replace(/^(?=\d)/, '_') // biome-ignore format: one line
    notes.push(`The editor asks for ${name}: put it into the environment variable ${variable}.`)
    return `\${${variable}}`
  }
  if (kind !== undefined) notes.push(`\${${inside}} is not known here: write in its place what it stands for.`)
  switch (inside) {
    case 'workspaceFolder':
    case 'workspaceRoot':
      return workspace
    case 'workspaceFolderBasename':
      return basename(workspace)
    case 'userHome':
      return home
    case 'pathSeparator':
    case '/':
      return sep
  }
  return whole
}
