import { nearest } from '../contract/nearest.ts'
import type { Caller, Tool, Toolset } from '../contract/tool.ts'

/** A tool under its full id, `toolset.tool`. */
export interface CatalogEntry<Capabilities> {
  readonly id: string
  /** What it is called on the wire: the bare name where there is one toolset, else the full id. */
  readonly name: string
  readonly toolset: string
  readonly toolsetDescription: string
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
  /** What a caller may not use is unknown to it. */
  find(name: string, caller?: Caller): Promise<Found<Capabilities>>
  /** Every tool, or every one that this caller may use, in the order of the toolsets; the same list while nothing changes. */
  all(caller?: Caller): Promise<readonly CatalogEntry<Capabilities>[]>
}

/** Toolsets by name, each loaded when first needed. */
export type ToolsetLoaders<Capabilities> = { readonly [name: string]: () => Promise<Toolset<Capabilities>> }

/** Tells by its full id whether a tool may be used. */
export type MayUse = (id: string) => boolean

export interface CatalogOptions {
  /** What this caller may use; undefined: everything. The same function for the same rights, since lists are kept by it. */
  readonly rightsOf?: (caller: Caller) => MayUse | undefined
}

export function createCatalog<Capabilities>(
  loaders: ToolsetLoaders<Capabilities>,
  { rightsOf }: CatalogOptions = {},
): Catalog<Capabilities> {
  const names = Object.keys(loaders)
  const loaded = new Map<string, Promise<ReadonlyMap<string, FoundTool<Capabilities>>>>()
  const listings = new WeakMap<MayUse, Promise<Listing<Capabilities>>>()

  function load(toolset: string) {
    let entries = loaded.get(toolset)
    if (!entries) {
      entries = loaders[toolset]!().then((set) => toEntries(set, names.length > 1))
      loaded.set(toolset, entries)
      // A toolset that could not be loaded is tried again at the next call.
      entries.catch(() => loaded.delete(toolset))
    }
    return entries
  }

  async function listAll(mayUse: MayUse): Promise<Listing<Capabilities>> {
    const toolsets = await Promise.all(names.map(load))
    return toListing(toolsets.flatMap((entries) => [...entries.values()]).filter(({ id }) => mayUse(id)))
  }

  function listFor(mayUse: MayUse): Promise<Listing<Capabilities>> {
    let listing = listings.get(mayUse)
    if (!listing) {
      listing = listAll(mayUse)
      listings.set(mayUse, listing)
      listing.catch(() => listings.delete(mayUse))
    }
    return listing
  }

  const toRights = (caller: Caller | undefined): MayUse => (caller && rightsOf?.(caller)) ?? everything

  return {
    async all(caller) {
      return (await listFor(toRights(caller))).entries
    },
    async find(name, caller) {
      const mayUse = toRights(caller)
      // A full id loads its own toolset only: start-up of a single call depends on it.
      const dot = name.indexOf('.')
      const toolset = name.slice(0, dot)
      if (dot > 0 && Object.hasOwn(loaders, toolset)) {
        const entry = (await load(toolset)).get(name)
        if (entry && mayUse(entry.id)) return entry
      }
      const { entries, byName } = await listFor(mayUse)
      const named = byName.get(name) ?? []
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

interface Listing<Capabilities> {
  readonly entries: readonly FoundTool<Capabilities>[]
  /** By bare name. */
  readonly byName: ReadonlyMap<string, readonly FoundTool<Capabilities>[]>
}

const everything: MayUse = () => true

function toListing<Capabilities>(entries: readonly FoundTool<Capabilities>[]): Listing<Capabilities> {
  return { entries, byName: Map.groupBy(entries, ({ tool }) => tool.contract.name) }
}

function toEntries<Capabilities>({ name: toolset, description, tools }: Toolset<Capabilities>, qualified: boolean) {
  const entries = new Map<string, FoundTool<Capabilities>>()
  for (const tool of tools) {
    const id = `${toolset}.${tool.contract.name}`
    const name = qualified ? id : tool.contract.name
    entries.set(id, Object.freeze({ kind: 'found', id, name, toolset, toolsetDescription: description, tool }))
  }
  return entries
}
