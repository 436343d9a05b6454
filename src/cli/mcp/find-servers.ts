import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import { fromServerJson } from './from-server-json.ts'

type Servers = { readonly [name: string]: JsonValue }

/** The servers in a client's file by name, in any known format; undefined if it has none. */
export function findServers(value: JsonValue, workspace: string): Servers | undefined {
  if (!isObject(value)) return undefined
  const found = [
    // Claude Code stores servers of a folder under its path.
    byName(get(get(get(value, 'projects'), workspace), 'mcpServers')),
    byName(get(value, 'mcpServers')),
    // VS Code, in its own file and in its settings.
    byName(get(value, 'servers')),
    byName(get(get(value, 'mcp'), 'servers')),
    byName(get(value, 'mcp.servers')),
    byName(get(value, 'mcp_servers')),
    byName(get(value, 'context_servers')),
    fromOpencode(get(value, 'mcp')),
    fromGoose(get(value, 'extensions')),
    fromDocker(get(value, 'registry')),
    fromServerJson(value),
  ].filter((servers) => servers !== undefined)
  if (found.length > 0) return Object.assign({}, ...found.reverse())
  const entries = Object.values(value)
  const isBare = entries.length > 0 && entries.every((entry) => isObject(entry) && ('command' in entry || 'url' in entry)) // biome-ignore format: one line
  return isBare ? value : undefined
}

export function get(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

/** An object by name, or a list whose items have one. */
function byName(value: JsonValue | undefined): Servers | undefined {
  if (isObject(value)) return value
  if (!Array.isArray(value) || value.length === 0) return undefined
  return Object.fromEntries(value.map((item, index) => [toName(item, index), item]))
}

function toName(item: JsonValue, index: number): string {
  const name = get(item, 'name') ?? get(item, 'uses')
  return typeof name === 'string' ? name : `server-${index + 1}`
}

/** In opencode `mcp` contains servers; in Gemini and VS Code it contains settings about them. */
function fromOpencode(mcp: JsonValue | undefined): Servers | undefined {
  if (!isObject(mcp)) return undefined
  const servers = Object.entries(mcp).filter(([, entry]) => ['local', 'remote'].includes(get(entry, 'type') as string))
  return servers.length > 0 ? Object.fromEntries(servers.map(([name, entry]) => [name, toBraces(entry)])) : undefined
}

/** opencode writes `{env:NAME}` where others write `${NAME}`, and `{file:PATH}` for the content of a file. */
function toBraces(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.replace(/(?<!\$)\{(?:env|file):[^{}]*\}/g, (found) => `$${found}`)
  if (Array.isArray(value)) return value.map(toBraces)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toBraces(inner!)]))
}

/** Built-in extensions of Goose cannot be started by another program. */
const gooseOwn = ['builtin', 'platform', 'frontend', 'inline_python']

function fromGoose(extensions: JsonValue | undefined): Servers | undefined {
  const all = byName(extensions)
  if (!all) return undefined
  const servers = Object.entries(all).flatMap(([name, entry]): [string, JsonValue][] => {
    const { config, ...outer } = isObject(entry) ? entry : ({} as JsonObject)
    const flat = isObject(config) ? { ...outer, ...config } : entry
    return gooseOwn.includes(get(flat, 'type') as string) ? [] : [[name, flat]]
  })
  return Object.fromEntries(servers)
}

/** Docker stores keys and settings of its servers, so its gateway must start them. */
function fromDocker(registry: JsonValue | undefined): Servers | undefined {
  if (!isObject(registry)) return undefined
  const names = Object.entries(registry).filter(([, entry]) => isObject(entry))
  return Object.fromEntries(names.map(([name]) => [name, { command: 'docker', args: ['mcp', 'gateway', 'run', '--servers', name] }])) // biome-ignore format: one line
}

/** Restrictions in a client's files outside the server entries. They must stay in force after the import. */
export interface FileRules {
  /** Disabled servers. */
  readonly disabled: readonly string[]
  /** Disabled servers of `.mcp.json` only. */
  readonly disabledInMcpJson: readonly string[]
  /** Allowlist of servers, if any. */
  readonly allowed?: readonly string[]
  /** Denied tools, as `server_tool`; `*` matches any text. */
  readonly deniedTools: readonly string[]
  /** Values of `${input:…}`. */
  readonly inputs: readonly JsonValue[]
  readonly problems: readonly string[]
}

export function readFileRules(content: JsonValue, workspace: string): FileRules {
  const project = get(get(content, 'projects'), workspace)
  const mcp = get(content, 'mcp')
  const allowed = toNames(get(mcp, 'allowed') ?? get(content, 'allowMCPServers'))
  const denied = toList(get(content, 'deniedMcpServers'))
  return {
    disabled: [
      ...toNames(get(project, 'disabledMcpServers')),
      ...toNames(get(mcp, 'excluded')),
      ...toNames(get(content, 'excludeMCPServers')),
      ...toNames(denied.map((rule) => get(rule, 'serverName') ?? null)),
    ],
    disabledInMcpJson: [project, content].flatMap((from) => toNames(get(from, 'disabledMcpjsonServers'))),
    ...(allowed.length > 0 && { allowed }),
    deniedTools: [...toDenied(get(content, 'tools'), false), ...toDenied(get(content, 'permission'), 'deny')],
    inputs: [get(content, 'inputs'), get(mcp, 'inputs'), get(get(content, 'mcp.servers'), 'inputs')].flatMap(toList),
    problems: denied.some((rule) => get(rule, 'serverName') === undefined)
      ? ['deniedMcpServers denies servers by command or address: set "disabled": true for those it means.']
      : [],
  }
}

/** Merges the rules of all files of a client. */
export function joinRules(all: readonly FileRules[]): FileRules {
  const allowed = all.flatMap((rules) => rules.allowed ?? [])
  return {
    disabled: all.flatMap(({ disabled }) => disabled),
    disabledInMcpJson: all.flatMap(({ disabledInMcpJson }) => disabledInMcpJson),
    ...(allowed.length > 0 && { allowed }),
    deniedTools: all.flatMap(({ deniedTools }) => deniedTools),
    inputs: all.flatMap(({ inputs }) => inputs),
    problems: all.flatMap(({ problems }) => problems),
  }
}

function toDenied(value: JsonValue | undefined, denial: JsonValue): string[] {
  return isObject(value) ? Object.entries(value).flatMap(([name, decision]) => (decision === denial ? [name] : [])) : []
}

function toList(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : []
}

function toNames(value: JsonValue | undefined): string[] {
  return toList(value).filter((name) => typeof name === 'string')
}
