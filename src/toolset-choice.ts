import type { Capabilities } from './capabilities/capabilities.ts'
import { ConfigError } from './config-error.ts'
import type { Toolset } from './contract/tool.ts'
import type { ToolsetLoaders } from './pipeline/catalog.ts'
import { toolsets as builtIn } from './toolsets/index.ts'

export interface ToolsetChoice {
  /** Every toolset that there is. */
  readonly known: ToolsetLoaders<Capabilities>
  /** Those that were chosen; undefined where nobody chose. */
  readonly chosen: ToolsetLoaders<Capabilities> | undefined
}

/** Toolsets by the names of built-in ones, and others as they are. */
export function toChoice(toolsets: readonly (string | Toolset<Capabilities>)[] | undefined): ToolsetChoice {
  if (!toolsets) return { known: builtIn, chosen: undefined }
  const loaders = new Map<string, () => Promise<Toolset<Capabilities>>>()
  for (const toolset of toolsets) {
    const name = typeof toolset === 'string' ? toolset : toolset.name
    if (loaders.has(name)) throw new ConfigError(`There are two toolsets '${name}'. Rename one of them.`)
    if (typeof toolset !== 'string') loaders.set(name, async () => toolset)
    else if (Object.hasOwn(builtIn, name)) loaders.set(name, builtIn[name]!)
    else throw new ConfigError(`There is no toolset '${name}'. Use one of ${Object.keys(builtIn).join(', ')}.`)
  }
  const chosen = Object.fromEntries(loaders)
  return { known: { ...builtIn, ...chosen }, chosen }
}
