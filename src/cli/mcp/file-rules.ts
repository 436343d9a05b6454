import { isObject, type JsonValue } from '../../contract/json.ts'
import { get } from './find-servers.ts'

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
