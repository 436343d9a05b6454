import { isAbsolute, resolve } from 'node:path'
import { configSchema } from '../../app/config/config-schema.ts'
import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import { type FillContext, fillIn } from './fill-in.ts'

export interface EntryContext extends FillContext {
  /** The folder of our config. */
  readonly folder: string
}

export interface TakenEntry {
  readonly entry: JsonObject
  /** Changes made during conversion. */
  readonly notes: readonly string[]
  /** Settings that could not be converted, and what to do about them. */
  readonly problems: readonly string[]
}

type Draft = { [key: string]: JsonValue }

/** Converts an entry of another client. Keeps restrictions and drops permissions. */
export function toServerEntry(source: JsonObject, context: EntryContext): TakenEntry {
  const notes: string[] = []
  const problems: string[] = []
  const entry: Draft = {}
  const leftOut: string[] = []
  for (const [given, value] of Object.entries(source)) {
    if (value === null) continue
    if (Object.hasOwn(translations, given)) {
      const fault = translations[given]!(value, entry, source)
      if (fault !== undefined) problems.push(`${given} ${fault}`)
      continue
    }
    const key = Object.hasOwn(otherNames, given) ? otherNames[given]! : given
    if (trusting.includes(key) && !strict.includes(value)) notes.push(`${given} is for you to decide, and is left out.`)
    else if (ownKeys.includes(key)) entry[key] = isObject(value) && isObject(entry[key]) ? { ...entry[key], ...value } : value
    else if (harmless.includes(given)) leftOut.push(given)
    else if (!silent.includes(given)) problems.push(`${given} is not understood, and is left out: check whether it forbids or changes anything.`) // biome-ignore format: one line
  }
  splitCommand(entry)
  simplify(entry, notes)
  for (const key of ['command', 'args', 'env', 'cwd', 'url', 'headers']) {
    if (entry[key] === undefined) continue
    const filled = fillIn(entry[key], context)
    entry[key] = filled.value
    notes.push(...filled.notes)
    problems.push(...filled.problems)
  }
  if (typeof entry.cwd === 'string' && !isAbsolute(entry.cwd) && context.workspace !== context.folder)
    entry.cwd = resolve(context.workspace, entry.cwd)
  if (leftOut.length > 0) notes.push(`${leftOut.join(', ')} ${leftOut.length === 1 ? 'has' : 'have'} no effect here, and ${leftOut.length === 1 ? 'is' : 'are'} left out.`) // biome-ignore format: one line
  return { entry, notes: [...new Set(notes)], problems: [...new Set(problems)] }
}

/** Keys that grant trust, with their strict values. An imported file may come with a repository, so it must not grant any. */
const trusting = ['approval', 'risk', 'withoutOutputSchema', 'text', 'overlays']
const strict: readonly JsonValue[] = ['ask', 'dangerous', 'refuse', 'checked']

const ownKeys = Object.keys(configSchema.properties.mcpServers.additionalProperties.properties)

const otherNames: { readonly [key: string]: string } = {
  cmd: 'command',
  httpUrl: 'url',
  serverUrl: 'url',
  uri: 'url',
  environment: 'env',
  envs: 'env',
  http_headers: 'headers',
  includeTools: 'tools',
  enabledTools: 'tools',
  enabled_tools: 'tools',
  excludeTools: 'exclude',
  disabledTools: 'exclude',
  disabled_tools: 'exclude',
}

/** Converters of keys. They return a problem as the end of a sentence. */
const translations: {
  readonly [key: string]: (value: JsonValue, entry: Draft, source: JsonObject) => string | undefined
} = {
  enabled(value, entry) {
    if (value === false) entry.disabled = true
    return undefined
  },
  type: takeTransport,
  transport: (value, entry) => takeTransport(isObject(value) ? (value.type ?? null) : value, entry),
  transportType: takeTransport,
  // Codex: names of variables to pass on.
  env_vars: (value, entry) => passOn(value, entry, ''),
  // Goose: variables whose values are in its keyring.
  env_keys: (value, entry) => passOn(value, entry, 'secret:'),
  bearer_token_env_var: (value, entry) => addHeader(entry, 'Authorization', `Bearer \${${String(value)}}`),
  env_http_headers(value, entry) {
    for (const [header, variable] of Object.entries(isObject(value) ? value : {})) addHeader(entry, header, `\${${String(variable)}}`) // biome-ignore format: one line
    return undefined
  },
  // Continue.
  apiKey: (value, entry) => addHeader(entry, 'Authorization', `Bearer ${String(value)}`),
  requestOptions(value, entry) {
    const { headers, ...others } = isObject(value) ? value : ({} as JsonObject)
    for (const [header, text] of Object.entries(isObject(headers) ? headers : {}))
      addHeader(entry, header, String(text))
    return Object.keys(others).length > 0 ? `has ${Object.keys(others).join(', ')}, which cannot be taken over.` : undefined // biome-ignore format: one line
  },
  // Goose: an empty list means all tools.
  available_tools(value, entry) {
    if (Array.isArray(value) && value.length > 0) entry.tools = value
    return undefined
  },
  // A list in most clients; in Codex a table with the approval of each tool.
  tools(value, entry) {
    if (!isObject(value)) entry.tools = value
    else {
      const asked = Object.entries(value).filter(([, tool]) => isObject(tool) && tool.approval_mode === 'prompt')
      if (asked.length > 0) entry.approval = Object.fromEntries(asked.map(([name]) => [name, 'ask']))
    }
    return undefined
  },
  startup_timeout_sec: (value, entry) => takeStartup(Number(value) * 1000, entry),
  startup_timeout_ms: (value, entry) => takeStartup(Number(value), entry),
  connectionTimeout: (value, entry) => takeStartup(Number(value), entry),
  envFile: (value) => `names variables in ${String(value)}: put those that the server needs into its env.`,
  oauth: (value) => (value === false ? undefined : needsToken),
  auth: (value) => (value === false ? undefined : needsToken),
  authProviderType: () => needsToken,
  uses: (value) =>
    `names the block ${String(value)}, which only its client can load: add its command or address yourself.`,
  settings: (_value, _entry, source) =>
    'command' in source || 'url' in source
      ? undefined
      : 'belongs to an extension of the editor, which alone knows the command: add its command yourself.',
  packages: () => 'names no kind of package that can be run here: add the command of the server yourself.',
}

const needsToken = 'is a sign-in by OAuth, which cannot be taken over: set a token under headers.'

/** Known keys that only grant permissions or concern the client itself. */
const harmless = [
  ...['alwaysAllow', 'alwaysApprove', 'autoApprove', 'trust', 'timeout', 'required', 'tool_timeout_sec', 'watchPaths'],
  ...['default_tools_approval_mode', 'supports_parallel_tool_calls', 'startup_readiness', 'debounceTime'],
]

/** Descriptive keys. */
const silent = [
  ...['description', 'dev', 'gallery', 'icon', 'id', 'metadata', 'name', 'note', 'version', 'title', 'displayName'],
  ...['display_name', 'bundled', 'source', 'inputs', 'remoteConfigured', 'faviconUrl', '$schema'],
]

const transports: readonly string[] = ['stdio', 'local', 'http', 'streamable-http', 'streamableHttp', 'streamable_http', 'remote'] // biome-ignore format: one line

function takeTransport(value: JsonValue, entry: Draft): string | undefined {
  if (value === 'sse') entry.type = 'sse'
  else if (typeof value !== 'string' || !transports.includes(value))
    return `${JSON.stringify(value)} is a transport that is not supported here.`
  return undefined
}

function passOn(value: JsonValue, entry: Draft, kind: string): undefined {
  const names = (Array.isArray(value) ? value : []).map((item) => (isObject(item) ? item.name : item))
  const passed = names.flatMap((name) => (typeof name === 'string' ? [[name, `\${${kind}${name}}`]] : []))
  if (passed.length > 0) entry.env = { ...Object.fromEntries(passed), ...(isObject(entry.env) && entry.env) }
}

function addHeader(entry: Draft, name: string, value: string): undefined {
  const headers = isObject(entry.headers) ? entry.headers : {}
  if (!Object.keys(headers).some((given) => given.toLowerCase() === name.toLowerCase())) entry.headers = { ...headers, [name]: value } // biome-ignore format: one line
}

function takeStartup(ms: number, entry: Draft): string | undefined {
  if (!(ms >= 1)) return 'is not a time.'
  entry.startupMs = Math.min(600_000, Math.round(ms))
  return undefined
}

/** Some clients write command and arguments as one list; Zed used an object. */
function splitCommand(entry: Draft): void {
  if (isObject(entry.command)) {
    const { path, args, env } = entry.command
    Object.assign(entry, { command: path ?? '', ...(args && { args }), ...(env && { env }) })
  }
  if (!Array.isArray(entry.command)) return
  const [command, ...args] = entry.command
  entry.command = command ?? ''
  entry.args = [...args, ...(Array.isArray(entry.args) ? entry.args : [])]
}

/** Drops empty values. */
function simplify(entry: Draft, notes: string[]): void {
  if (entry.disabled === false) delete entry.disabled
  if (Array.isArray(entry.tools) && entry.tools.includes('*')) delete entry.tools
  for (const key of ['args', 'env', 'headers', 'exclude'])
    if (entry[key] === null || (typeof entry[key] === 'object' && Object.keys(entry[key]).length === 0))
      delete entry[key]
  if (isObject(entry.env)) entry.env = toTexts(entry.env)
  if (entry.url === undefined) {
    delete entry.headers
    return
  }
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
