import { toAliases, toListedNames, toSafeName } from '../../contract/listed-names.ts'
import { promptPrefix } from '../../contract/offer.ts'
import type { Tool, Toolset, ToolsetProvision } from '../../contract/tool.ts'

/** How MCP and REST list tools: `workspace_create_file` or `workspace.create_file`. */
export type NameStyle = 'plain' | 'dotted'

/** A tool under its full id, `toolset.tool`. */
export interface CatalogEntry<Capabilities> {
  readonly id: string
  /** The name in the lists of MCP and REST. */
  readonly name: string
  /** A name that every model provider accepts; equal to `name` unless the config sets dotted names. */
  readonly functionName: string
  /** The name in the list of prompts, if it is one. */
  readonly promptName?: string
  readonly toolset: string
  readonly toolsetDescription: string
  /** What the toolset brings for its tools; undefined where it brings nothing. */
  readonly provision?: ToolsetProvision
  readonly tool: Tool<Capabilities>
}

export interface FoundTool<Capabilities> extends CatalogEntry<Capabilities> {
  readonly kind: 'found'
}

export interface WithheldTool {
  readonly kind: 'withheld'
  readonly id: string
  readonly reasons: readonly string[]
}

/** The tools of a toolset by full id, with their public names. */
export interface LoadedToolset<Capabilities> {
  readonly toolset: string
  readonly entries: ReadonlyMap<string, FoundTool<Capabilities>>
  readonly withheld: ReadonlyMap<string, WithheldTool>
  readonly ttlMs?: number
  readonly fault?: string
  readonly faultAdvice?: string
  /** Resolves a name that is neither a listed name nor an id. */
  findByAlias(name: string): readonly (FoundTool<Capabilities> | WithheldTool)[]
}

export interface NamingOptions {
  /** The names of all toolsets that are served. */
  readonly toolsets: readonly string[]
  readonly style: NameStyle
}

export function toLoadedToolset<Capabilities>(
  loaded: Toolset<Capabilities>,
  { toolsets, style }: NamingOptions,
): LoadedToolset<Capabilities> {
  const { name: toolset, description: toolsetDescription, tools, withheld = [], fault, faultAdvice } = loaded
  const provision = toProvision(loaded)
  const isAlone = toolsets.length === 1
  const toNames = (some: readonly Tool<Capabilities>[], prefix = '') => {
    const bare = some.map(({ contract }) => contract.name.slice(prefix.length))
    return toListedNames(toolset, bare, toolsets)
  }
  const names = toNames(tools.filter(({ offer }) => !offer))
  const promptNames = toNames(
    tools.filter(({ offer }) => offer?.kind === 'prompt'),
    promptPrefix,
  )
  const entries = new Map<string, FoundTool<Capabilities>>()
  for (const tool of tools) {
    const bare = tool.contract.name
    const id = `${toolset}.${bare}`
    // Prompts and resources have no name among the tools: their calls use the id.
    const functionName = names.get(bare) ?? id
    const name = tool.offer || style === 'plain' ? functionName : isAlone ? bare : id
    const promptName = tool.offer?.kind === 'prompt' ? promptNames.get(bare.slice(promptPrefix.length)) : undefined
    const about = { id, name, functionName, ...(promptName !== undefined && { promptName }), toolset, toolsetDescription } // biome-ignore format: one line
    entries.set(id, Object.freeze({ kind: 'found', ...about, ...(provision && { provision }), tool }))
  }
  const held = new Map<string, WithheldTool>()
  for (const { name, reasons } of withheld) {
    const id = `${toolset}.${name}`
    held.set(id, { kind: 'withheld', id, reasons })
  }

  // Built on first use: most names are listed names or ids.
  let aliases: Map<string, (FoundTool<Capabilities> | WithheldTool)[]> | undefined
  function findByAlias(name: string) {
    if (!aliases) {
      const named = [...entries.values()].filter(({ tool }) => !tool.offer)
      const pairs = [...named, ...held.values()].flatMap((found) => {
        const bare = found.id.slice(toolset.length + 1)
        const safe = toSafeName(bare)
        // An exact contract name takes precedence over a normalized one.
        const own = isAlone ? (entries.has(`${toolset}.${safe}`) ? [bare] : new Set([bare, safe])) : []
        return [...toAliases(toolset, bare), ...own].map((alias) => ({ alias, found }))
      })
      aliases = new Map()
      for (const { alias, found } of pairs) aliases.set(alias, [...(aliases.get(alias) ?? []), found])
    }
    return aliases.get(name) ?? []
  }
  return {
    toolset,
    entries,
    withheld: held,
    findByAlias,
    ...(loaded.ttlMs !== undefined && { ttlMs: loaded.ttlMs }),
    ...(fault !== undefined && { fault }),
    ...(faultAdvice !== undefined && { faultAdvice }),
  }
}

function toProvision({ settings, testSettings, open, confined }: Toolset<never>): ToolsetProvision | undefined {
  if (!settings && !open) return undefined
  return Object.freeze({
    ...(settings && { settings }),
    ...(testSettings && { testSettings }),
    ...(open && { open }),
    ...(confined && { confined }),
  })
}
