import { statSync } from 'node:fs'
import type { Capabilities } from '../../capabilities/capabilities.ts'
import { groupPrefix } from '../../contract/principal.ts'
import { nearest } from '../../contract/text/nearest.ts'
import type { CatalogSettings, ToolsetLoaders } from '../../runtime/pipeline/catalog.ts'
import type { ToolsetChoice } from '../toolset-choice.ts'
import { toRightsOf } from './caller-rights.ts'
import type { Config } from './config.ts'
import { ConfigError } from './config-error.ts'
import { withLimits } from './limits.ts'
import type { OpenedConfig } from './open-config.ts'
import { foreignServerKeys } from './server-schema.ts'

const signIn = 'Toolpact does not support OAuth: set a token in "headers".'

/** What to write instead of a key that the server may depend on. */
const advice: { readonly [key: string]: string } = {
  auth: signIn,
  envFile: '"envFile" is not read: put the variables that the server needs into "env".',
  oauth: signIn,
}

export interface AppliedConfig {
  /** Applies the limits of the config to contracts. */
  readonly limit: (loaders: ToolsetLoaders<Capabilities>) => ToolsetLoaders<Capabilities>
  /** Which callers may use which tools, and how tools are named. */
  readonly catalog: CatalogSettings
  readonly notices: readonly string[]
}

/** Checks the names in a config, and derives from it the limits of tools and who may call them. */
export async function applyConfig(
  { config, found, own, source, trusted, isPart, advice, notices }: OpenedConfig,
  { known }: ToolsetChoice,
): Promise<AppliedConfig> {
  const { callers, names, workspace, telemetry } = config
  const faults = [...(isPart ? [] : await findUnknownNames(config, known)), ...findUnknownGroups(config)]
  if (workspace !== undefined && !statSync(workspace, { throwIfNoEntry: false })?.isDirectory())
    faults.push(`/workspace: ${workspace} is not a folder. Create it, or name another.`)
  if (faults.length > 0)
    throw new ConfigError(`The config ${source} is not valid: ${[...faults, advice].join(' ').trim()}`)
  return {
    limit: (loaders) => {
      const limited = withLimits(loaders, found?.config.limits ?? {}, { onlyLower: !trusted })
      return withLimits(limited, own?.limits ?? {}, { onlyLower: false })
    },
    catalog: {
      ...((callers || telemetry?.metrics) && { rightsOf: toRightsOf(withScrapers(config), config.groups) }),
      ...(names && { names }),
    },
    notices: [...notices, ...describeForeignKeys(config).map((words) => `${source}: ${words}`)],
  }
}

/** Callers that read metrics get no tools, unless the config gives them some. */
function withScrapers({ callers, telemetry }: Config): NonNullable<Config['callers']> {
  const scrapers = telemetry?.metrics ? toScrapers(telemetry.metrics) : []
  return { ...callers, ...Object.fromEntries(scrapers.map((name) => [name, { tools: [], ...callers?.[name] }])) }
}

/** The callers that may read metrics. */
export function toScrapers({ callers = ['metrics'] }: NonNullable<NonNullable<Config['telemetry']>['metrics']>) {
  return callers
}

/** Notices about keys of server entries that have an effect only in other clients. */
export function describeForeignKeys({ mcpServers = {} }: Config): string[] {
  return Object.entries(mcpServers).flatMap(([name, server]) => {
    const found = Object.keys(server).filter((key) => foreignServerKeys.includes(key))
    if (found.length === 0) return []
    const words = [`${found.join(', ')} ${found.length === 1 ? 'has' : 'have'} no effect here.`]
    for (const key of found)
      if ((server as Record<string, unknown>)[key] !== false && advice[key]) words.push(advice[key])
    return [`mcpServers.${name}: ${[...new Set(words)].join(' ')}`]
  })
}

/**
 * Messages about unknown toolsets and tools in the config: a limit for a misspelled tool would not apply. Loads the named
 * toolsets. Tools of MCP servers are skipped, since they are not known before the server is connected.
 */
async function findUnknownNames(config: Config, known: ToolsetLoaders<never>): Promise<string[]> {
  const { toolsets = [], limits = {}, callers = {}, approvers = [], mcpServers = {} } = config
  const names = Object.keys(known)
  const isUpstream = (toolset: string) => Object.hasOwn(mcpServers, toolset)

  function checkToolset(toolset: string, place: string): string[] {
    if (names.includes(toolset) || isUpstream(toolset)) return []
    return [`${place}: There is no toolset '${toolset}'. ${toAdvice(toolset, names)}`]
  }

  async function checkTool(id: string, place: string): Promise<string[]> {
    const dot = id.indexOf('.')
    const toolset = id.slice(0, dot)
    const unknown = dot < 0 ? [] : checkToolset(toolset, place)
    if (unknown.length > 0 || isUpstream(toolset) || id.endsWith('.*')) return unknown
    if (dot < 0) return [`${place}: '${id}' is not the full id of a tool. Write it as toolset.tool.`]
    const { tools, withheld = [] } = await known[toolset]!()
    const ids = [...tools.map(({ contract }) => contract), ...withheld].map(({ name }) => `${toolset}.${name}`)
    return ids.includes(id) ? [] : [`${place}: There is no tool '${id}'. ${toAdvice(id, ids)}`]
  }

  const tools = [
    ...Object.keys(limits).map((id) => ({ id, place: `/limits/${id}` })),
    ...Object.entries(callers).flatMap(([caller, { tools = [] }]) =>
      tools
        .map((id, index) => ({ id, place: `/callers/${caller}/tools/${index}` }))
        // A pattern may be meant for future tools.
        .filter(({ id }) => !id.includes('*')),
    ),
  ]
  for (const [index, entry] of approvers.entries())
    for (const [at, id] of (entry.tools ?? []).entries()) tools.push({ id, place: `/approvers/${index}/tools/${at}` })
  const found = await Promise.all(tools.map(({ id, place }) => checkTool(id, place)))
  return [
    ...toolsets.flatMap((toolset, index) => checkToolset(toolset, `/toolsets/${index}`)),
    ...Object.keys(mcpServers)
      .filter((server) => names.includes(server))
      .map((server) => `/mcpServers/${server}: There is a toolset '${server}' already. Give the server another name.`),
    ...found.flat(),
  ]
}

/** An unknown group has no members: nobody could answer. What groups an issuer knows is not known here. */
function findUnknownGroups({ approvers = [], groups = {}, callers = {}, http }: Config): string[] {
  const isUnknown = (name: string) =>
    name.startsWith(groupPrefix) &&
    !http?.auth &&
    !http?.signIn &&
    !Object.hasOwn(groups, name.slice(groupPrefix.length))
  const named = [
    ...approvers.flatMap(({ who = [] }, index) => who.map((name) => ({ name, place: `/approvers/${index}/who` }))),
    ...Object.keys(callers).map((name) => ({ name, place: `/callers/${name}` })),
  ]
  return named
    .filter(({ name }) => isUnknown(name))
    .map(({ name, place }) => `${place}: There is no group '${name.slice(groupPrefix.length)}'. Add it to "groups", or let the tokens of http.auth or http.signIn name it.`) // biome-ignore format: one line
}

function toAdvice(word: string, choices: readonly string[]): string {
  const close = nearest(word, choices)
  return close ? `Did you mean ${close}?` : `Use one of ${choices.join(', ')}.`
}
