import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import { get } from './find-servers.ts'

type Servers = { readonly [name: string]: JsonValue }

/**
 * Servers of a `server.json` from the MCP registry: a package with an exact version, or a remote. Values that the user must
 * supply become `${input:NAME}`, with their defaults in `inputs`.
 */
export function fromServerJson(value: JsonObject): Servers | undefined {
  const listed = get(value, 'servers')
  const all = Array.isArray(listed) ? listed : [value]
  const servers = all.map((item) => get(item, 'server') ?? item).filter((server) => isObject(server) && ('packages' in server || 'remotes' in server)) // biome-ignore format: one line
  if (servers.length === 0) return undefined
  return Object.fromEntries(servers.map((server) => [toName(get(server, 'name')), toEntry(server as JsonObject)]))
}

/** `io.github.ada/weather` becomes `weather`. */
function toName(name: JsonValue | undefined): string {
  return typeof name === 'string' ? (name.split('/').at(-1) ?? name) : 'server'
}

function toEntry(server: JsonObject): JsonObject {
  const inputs: Input[] = []
  const chosen = toItems(server.packages).map((item) => fromPackage(item, inputs)).find((entry) => entry !== undefined) // biome-ignore format: one line
  const remote = toItems(server.remotes)[0]
  const entry = chosen ?? (remote && fromRemote(remote, inputs)) ?? { packages: server.packages ?? [] }
  return { ...entry, inputs: inputs.map(({ id, fallback, description }) => ({ id, ...(fallback !== undefined && { default: fallback }), ...(description !== undefined && { description }) })) } // biome-ignore format: one line
}

interface Input {
  readonly id: string
  readonly fallback: string | undefined
  readonly description: string | undefined
}

/** The command for a package of each registry, with the version pinned. Undefined for unknown registries. */
function fromPackage(source: JsonObject, inputs: Input[]): JsonObject | undefined {
  const kind = toText(source.registryType ?? source.registry_type)
  const id = toText(source.identifier) ?? toText(source.name) ?? ''
  const version = toText(source.version)
  const pinned = version === undefined || version === 'latest' ? id : `${id}@${version}`
  const runtime = toText(source.runtimeHint ?? source.runtime_hint)
  const before = toArguments(source.runtimeArguments ?? source.runtime_arguments, inputs)
  const after = toArguments(source.packageArguments ?? source.package_arguments, inputs)
  const env = toValues(source.environmentVariables ?? source.environment_variables, inputs)
  const rest: JsonObject = Object.keys(env).length > 0 ? { env } : {}
  if (kind === 'npm') return { command: runtime ?? 'npx', args: [...withFlag(before, '-y', runtime ?? 'npx', 'npx'), pinned, ...after], ...rest } // biome-ignore format: one line
  if (kind === 'pypi') return { command: runtime ?? 'uvx', args: [...before, pinned, ...after], ...rest }
  if (kind === 'nuget') return { command: runtime ?? 'dnx', args: [...before, pinned, '--yes', ...after], ...rest }
  if (kind !== 'oci' && kind !== 'docker') return undefined
  const image = /[:@][^/]+$/.test(id) || version === undefined ? id : `${id}:${version}`
  const passed = Object.keys(env).flatMap((name) => ['-e', name])
  const run = before[0] === 'run' ? before : ['run', '-i', '--rm', ...before]
  return { command: runtime ?? 'docker', args: [...run, ...passed, image, ...after], ...rest }
}

function withFlag(args: readonly string[], flag: string, runtime: string, of: string): readonly string[] {
  return runtime === of && !args.includes(flag) ? [flag, ...args] : args
}

function fromRemote(source: JsonObject, inputs: Input[]): JsonObject {
  const headers = toValues(source.headers, inputs)
  const url = fillTemplate(toText(source.url) ?? '', source.variables, inputs)
  return {
    url,
    ...(source.type !== undefined && { type: source.type }),
    ...(Object.keys(headers).length > 0 && { headers }),
  }
}

function toArguments(value: JsonValue | undefined, inputs: Input[]): string[] {
  return toItems(value).flatMap((item) => {
    const name = toText(item.name)
    const given = toGiven(item, name?.replace(/^-+/, '') ?? toText(item.valueHint) ?? 'argument', inputs)
    if (item.type !== 'named' || name === undefined) return given === undefined ? [] : [given]
    const isFlag = item.value === undefined && item.default === undefined && !item.isRequired
    if (given === undefined) return isFlag && item.format === 'boolean' ? [name] : []
    return [name, given]
  })
}

function toValues(value: JsonValue | undefined, inputs: Input[]): { [name: string]: string } {
  const pairs = toItems(value).flatMap((item): [string, string][] => {
    const name = toText(item.name)
    const given = name === undefined ? undefined : toGiven(item, name, inputs)
    return given === undefined ? [] : [[name!, given]]
  })
  return Object.fromEntries(pairs)
}

/** The publisher's value, otherwise one from the user; undefined if optional. */
function toGiven(item: JsonObject, id: string, inputs: Input[]): string | undefined {
  const value = toText(item.value)
  if (value !== undefined) return fillTemplate(value, item.variables, inputs)
  const fallback = toText(item.default)
  if (item.isRequired !== true && item.is_required !== true) return fallback
  inputs.push({ id, fallback, description: toText(item.description) })
  return `\${input:${id}}`
}

/** `{name}` refers to a variable defined beside it. */
function fillTemplate(text: string, variables: JsonValue | undefined, inputs: Input[]): string {
  return text.replace(/(?<!\$)\{([\w-]+)\}/g, (whole, id: string) => {
    const variable = get(variables, id)
    if (!isObject(variable)) return whole
    return toGiven({ ...variable, isRequired: true }, id, inputs) ?? whole
  })
}

function toItems(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

function toText(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined
}
