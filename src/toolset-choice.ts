import type { Capabilities } from './capabilities/capabilities.ts'
import { ConfigError } from './config/config-error.ts'
import type { Toolset } from './contract/tool.ts'
import type { ToolsetLoaders } from './pipeline/catalog.ts'
import { toolsets as builtIn } from './toolsets/index.ts'

export interface ToolsetChoice {
  /** Every toolset that there is. */
  readonly known: ToolsetLoaders<Capabilities>
  /** Those that were chosen; undefined where nobody chose. */
  readonly chosen: ToolsetLoaders<Capabilities> | undefined
  /** Names that were chosen and are no toolset's: those of MCP servers, or nobody's. */
  readonly others: readonly string[]
}

/** Toolsets by the names of built-in ones, and others as they are. */
export function toChoice(toolsets: readonly (string | Toolset<Capabilities>)[] | undefined): ToolsetChoice {
  if (!toolsets) return { known: builtIn, chosen: undefined, others: [] }
  const loaders = new Map<string, () => Promise<Toolset<Capabilities>>>()
  const others = new Set<string>()
  for (const toolset of toolsets) {
    const name = typeof toolset === 'string' ? toolset : toolset.name
    if (loaders.has(name) || others.has(name))
      throw new ConfigError(`There are two toolsets '${name}'. Rename one of them.`)
    if (typeof toolset !== 'string') loaders.set(name, async () => toolset)
    else if (Object.hasOwn(builtIn, name)) loaders.set(name, builtIn[name]!)
    else others.add(name)
  }
  const chosen = Object.fromEntries(loaders)
  return { known: { ...builtIn, ...chosen }, chosen, others: [...others] }
}

/** Every name that was chosen must be somebody's. */
export function requireServers({ others }: ToolsetChoice, servers: readonly string[]): void {
  const unknown = others.find((name) => !servers.includes(name))
  if (unknown === undefined) return
  const names = [...Object.keys(builtIn), ...servers].join(', ')
  throw new ConfigError(`There is no toolset '${unknown}'. Use one of ${names}.`)
}
