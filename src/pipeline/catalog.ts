import { nearest } from '../contract/nearest.ts'
import type { Tool, Toolset } from '../contract/tool.ts'

/** A tool under its full id, `toolset.tool`. */
interface CatalogEntry<Capabilities> {
  readonly id: string
  readonly toolset: string
  readonly tool: Tool<Capabilities>
}

type Found<Capabilities> =
  | FoundTool<Capabilities>
  | { readonly kind: 'unknown'; readonly nearest?: string }
  | { readonly kind: 'ambiguous'; readonly choices: readonly string[] }
  | { readonly kind: 'withheld'; readonly id: string; readonly reasons: readonly string[] }

interface FoundTool<Capabilities> extends CatalogEntry<Capabilities> {
  readonly kind: 'found'
}

/** The tools that can be called, found by full id or, where it is unique, by bare name. */
export interface Catalog<Capabilities> {
  find(name: string): Promise<Found<Capabilities>>
  /** Every tool, in the order of the toolsets. */
  all(): Promise<readonly CatalogEntry<Capabilities>[]>
}

/** Toolsets by name, each loaded when first needed. */
export type ToolsetLoaders<Capabilities> = { readonly [name: string]: () => Promise<Toolset<Capabilities>> }

export function createCatalog<Capabilities>(loaders: ToolsetLoaders<Capabilities>): Catalog<Capabilities> {
  const loaded = new Map<string, Promise<ReadonlyMap<string, FoundTool<Capabilities>>>>()

  function load(toolset: string) {
    let entries = loaded.get(toolset)
    if (!entries) {
      entries = loaders[toolset]!().then(toEntries)
      loaded.set(toolset, entries)
      // A toolset that could not be loaded is tried again at the next call.
      entries.catch(() => loaded.delete(toolset))
    }
    return entries
  }

  async function all() {
    const toolsets = await Promise.all(Object.keys(loaders).map(load))
    return toolsets.flatMap((entries) => [...entries.values()])
  }

  return {
    all,
    async find(name) {
      // A full id loads its own toolset only: start-up of a single call depends on it.
      const dot = name.indexOf('.')
      const toolset = name.slice(0, dot)
      if (dot > 0 && Object.hasOwn(loaders, toolset)) {
        const entry = (await load(toolset)).get(name)
        if (entry) return entry
      }
      const entries = await all()
      const named = entries.filter((entry) => entry.tool.contract.name === name)
      if (named.length === 1) return named[0]!
      if (named.length > 1) return { kind: 'ambiguous', choices: named.map((entry) => entry.id) }
      const close = nearest(name, [
        ...entries.map((entry) => entry.id),
        ...entries.map((entry) => entry.tool.contract.name),
      ])
      return close ? { kind: 'unknown', nearest: close } : { kind: 'unknown' }
    },
  }
}

function toEntries<Capabilities>({ name, tools }: Toolset<Capabilities>) {
  const entries = new Map<string, FoundTool<Capabilities>>()
  for (const tool of tools) {
    const id = `${name}.${tool.contract.name}`
    entries.set(id, Object.freeze({ kind: 'found', id, toolset: name, tool }))
  }
  return entries
}
