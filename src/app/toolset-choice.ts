import type { Capabilities } from '../capabilities/capabilities.ts'
import type { Toolset } from '../contract/tool.ts'
import type { ToolsetLoaders } from '../runtime/pipeline/catalog.ts'
import { toolsets as builtIn } from '../toolsets/index.ts'
import { ConfigError, renameFolder } from './config/config-error.ts'

export interface ToolsetChoice {
  /** All toolsets. */
  readonly known: ToolsetLoaders<Capabilities>
  /** The chosen toolsets; undefined if there was no choice. */
  readonly chosen: ToolsetLoaders<Capabilities> | undefined
  /** Chosen names that are not toolsets: MCP servers, or unknown. */
  readonly others: readonly string[]
}

/** Resolves names of built-in toolsets. */
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

/** Adds the toolsets of folders: all of them without a choice, else those chosen by name. */
export function withFolders(choice: ToolsetChoice, folders: ToolsetLoaders<Capabilities>): ToolsetChoice {
  const taken = Object.keys(folders).find((name) => Object.hasOwn(choice.known, name))
  if (taken !== undefined)
    throw new ConfigError(`There is a toolset '${taken}' already, beside the folder of that name. ${renameFolder}`)
  const isFolder = (name: string) => Object.hasOwn(folders, name)
  const named = choice.others.filter(isFolder).map((name) => [name, folders[name]!])
  return {
    known: { ...choice.known, ...folders },
    chosen: choice.chosen && { ...choice.chosen, ...Object.fromEntries(named) },
    others: choice.others.filter((name) => !isFolder(name)),
  }
}

/** Every chosen name must exist. */
export function requireServers({ known, others }: ToolsetChoice, servers: readonly string[]): void {
  const unknown = others.find((name) => !servers.includes(name))
  if (unknown === undefined) return
  const names = [...Object.keys(known), ...servers].join(', ')
  throw new ConfigError(`There is no toolset '${unknown}'. Use one of ${names}.`)
}
