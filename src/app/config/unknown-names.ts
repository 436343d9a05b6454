import { nearest } from '../../contract/text/nearest.ts'
import type { ToolsetLoaders } from '../../runtime/pipeline/catalog.ts'
import type { Config } from './config.ts'

/**
 * Toolsets and tools that the config names and nobody has, as sentences with their place. A limit for a misspelt tool
 * would not hold. Loads the toolsets whose tools are named; those of MCP servers are not known before they are connected.
 */
export async function findUnknownNames(config: Config, known: ToolsetLoaders<never>): Promise<string[]> {
  const { toolsets = [], limits = {}, callers = {}, mcpServers = {} } = config
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
    if (dot < 0) return [`${place}: '${id}' is no full id of a tool. Write it as toolset.tool.`]
    const { tools, withheld = [] } = await known[toolset]!()
    const ids = [...tools.map(({ contract }) => contract), ...withheld].map(({ name }) => `${toolset}.${name}`)
    return ids.includes(id) ? [] : [`${place}: There is no tool '${id}'. ${toAdvice(id, ids)}`]
  }

  const tools = [
    ...Object.keys(limits).map((id) => ({ id, place: `/limits/${id}` })),
    ...Object.entries(callers).flatMap(([caller, { tools = [] }]) =>
      tools
        .map((id, index) => ({ id, place: `/callers/${caller}/tools/${index}` }))
        // A pattern may be written for tools to come.
        .filter(({ id }) => !id.includes('*')),
    ),
  ]
  const found = await Promise.all(tools.map(({ id, place }) => checkTool(id, place)))
  return [
    ...toolsets.flatMap((toolset, index) => checkToolset(toolset, `/toolsets/${index}`)),
    ...Object.keys(mcpServers)
      .filter((server) => names.includes(server))
      .map((server) => `/mcpServers/${server}: There is a toolset '${server}' already. Give the server another name.`),
    ...found.flat(),
  ]
}

function toAdvice(word: string, choices: readonly string[]): string {
  const close = nearest(word, choices)
  return close ? `Did you mean ${close}?` : `Use one of ${choices.join(', ')}.`
}
