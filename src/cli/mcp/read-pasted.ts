import { basename } from 'node:path'
import type { JsonObject, JsonValue } from '../../contract/json.ts'
import { parseJson } from '../../contract/schema/parse-json.ts'
import { toStrictJson } from '../../state/strict-json.ts'
import { UsageError } from '../options/command.ts'
import { findServers, readFileRules } from './find-servers.ts'
import { type FoundServers, isServerName } from './to-candidates.ts'

interface Pasted {
  readonly text: string
  /** For a single server. Default: made from its package, program or host. */
  readonly name?: string | undefined
}

const limits = { maxBytes: 4_194_304, maxDepth: 100 }

/** The servers of a pasted text: a document of any client, a URL, or a command line as one would type it. */
export async function readPasted({ text, name }: Pasted, workspace: string): Promise<FoundServers> {
  if (name !== undefined && !isServerName(name))
    throw new UsageError(`A server cannot be named '${name}'.`, 'Use letters, digits, - and _, at most 64, a letter first.') // biome-ignore format: one line
  const trimmed = text.trim()
  const isDocument = trimmed.startsWith('{')
  const content = isDocument ? readDocument(trimmed) : toContent(trimmed, name)
  const servers = findServers(content, workspace)
  if (!servers || Object.keys(servers).length === 0)
    throw new UsageError('The text contains no servers in a form that is understood.', 'Paste { "mcpServers": { … } }, a URL, or a command line.') // biome-ignore format: one line
  const entries = Object.entries(servers)
  if (name !== undefined && entries.length > 1)
    throw new UsageError(`The text contains ${entries.length} servers, so one name does not fit.`, 'Leave out the name.') // biome-ignore format: one line
  return {
    ...{ from: 'the pasted text', path: '', owner: 'the pasted text', isOfFolder: true },
    servers: name === undefined ? servers : { [name]: entries[0]![1] },
    rules: readFileRules(content, workspace),
    // As in a shell.
    hasBareVariables: !isDocument,
  }
}

function readDocument(text: string): JsonValue {
  const parsed = parseJson(toStrictJson(text), limits)
  if (parsed.ok) return parsed.value
  throw new UsageError(`The text is not valid JSON: ${parsed.message}`)
}

function toContent(text: string, name: string | undefined): JsonObject {
  if (/^https?:\/\/\S+$/i.test(text)) {
    const host = URL.parse(text)
      ?.hostname.replace(/^(?:www|mcp|api)\./, '')
      .split('.')[0]
    return { mcpServers: { [name ?? (host || 'server')]: { url: text } } }
  }
  const words = splitWords(text)
  const start = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word))
  if (start < 0) throw new UsageError('The text contains no command.')
  const variables = words.slice(0, start).map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]) // biome-ignore format: one line
  const [command, ...args] = words.slice(start)
  const env = Object.fromEntries(variables)
  return { mcpServers: { [name ?? toName(command!, args)]: { command: command!, args, env } } }
}

const launchers = ['npx', 'bunx', 'pnpx', 'uvx', 'node', 'bun', 'deno', 'python', 'python3', 'uv', 'pipx']

/** `npx -y @scope/server-files@1.2.3 .` is `server-files`. */
function toName(command: string, args: readonly string[]): string {
  const program = basename(command)
  const target = launchers.includes(program)
    ? args.find((arg) => arg !== '' && !arg.startsWith('-') && arg !== 'run' && arg !== 'exec')
    : undefined
  return basename(target ?? program).replace(/(?<=.)@.*$|\.\w+$/, '') || 'server'
}

/** Splits as a shell would. What only a shell can run is refused: here it would be passed on as it is. */
function splitWords(text: string): string[] {
  const words: string[] = []
  let word: string | undefined
  for (const [part, single, double, escaped, space, special] of text.matchAll(tokens)) {
    if (special !== undefined)
      throw new UsageError(`The command line contains '${special}', which needs a shell.`, 'Give the program and its arguments alone, and quote special characters.') // biome-ignore format: one line
    if (space !== undefined) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + (single ?? double?.replace(/\\(["\\])/g, '$1') ?? escaped ?? part)
  }
  if (word !== undefined) words.push(word)
  return words
}

const tokens = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\([\s\S])|(\s+)|([|&;<>`'"\\]|\$\()|\$|[^\s'"\\|&;<>`$]+/g
