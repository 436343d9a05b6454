import { setTimeout as sleep } from 'node:timers/promises'
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

export type Found<Capabilities> =
  | FoundTool<Capabilities>
  | { readonly kind: 'unknown'; readonly nearest?: string }
  | { readonly kind: 'ambiguous'; readonly choices: readonly string[] }
  | { readonly kind: 'withheld'; readonly id: string; readonly reasons: readonly string[] }
  | { readonly kind: 'unavailable'; readonly toolset: string; readonly fault: string }

interface FoundTool<Capabilities> extends CatalogEntry<Capabilities> {
  readonly kind: 'found'
}

interface WithheldTool {
  readonly id: string
  readonly toolset: string
  readonly reasons: readonly string[]
}

/** The tools that can be called, found by full id or, where it is unique, by bare name. */
export interface Catalog<Capabilities> {
  /** What a caller may not use is unknown to it. */
  find(name: string, caller?: Caller): Promise<Found<Capabilities>>
  /** The same at once, where the toolset of a tool is loaded and the name is its own there; undefined: `find` has to tell. */
  findLoaded(name: string, caller?: Caller): FoundTool<Capabilities> | undefined
  /** Every tool, or every one that this caller may use, in the order of the toolsets; the same list while nothing changes. */
  all(caller?: Caller): Promise<readonly CatalogEntry<Capabilities>[]>
  /** The names of the toolsets, loaded or not. */
  readonly toolsets: readonly string[]
  /** Every tool, except of toolsets whose tools come later and do not come within this time. */
  within(ms: number): Promise<readonly CatalogEntry<Capabilities>[]>
  /** What may not be called, by full id, and why: of every toolset, or of those that are named. */
  withheld(toolsets?: readonly string[]): Promise<readonly WithheldTool[]>
  /** Whether some of the tools may come, go or change while it runs. */
  readonly canChange: boolean
  /** Forgets what was loaded of a toolset, because its tools have changed. */
  reload(toolset: string): void
  /** Serves other toolsets, or with other rights, from now on. Calls in flight keep the tools that they found. */
  replace(loaders: ToolsetLoaders<Capabilities>, rights: CatalogRights): void
  /** Tells whenever a list may have changed. Gives what ends the telling. */
  onChange(listener: () => void): () => void
}

/** Toolsets by name, each loaded when first needed. */
export type ToolsetLoaders<Capabilities> = { readonly [name: string]: ToolsetLoader<Capabilities> }

interface ToolsetLoader<Capabilities> {
  (): Promise<Toolset<Capabilities>>
  /** For a toolset whose tools come later: resolves once they are there, or cannot come. Never rejects. */
  settled?(): Promise<void>
}

/** Tells by its full id whether a tool may be used. */
export type MayUse = (id: string) => boolean

export interface CatalogRights {
  /** What this caller may use; undefined: everything. The same function for the same rights, since lists are kept by it. */
  readonly rightsOf?: (caller: Caller) => MayUse | undefined
}

export interface CatalogOptions extends CatalogRights {
  /** Whether `replace` may be called later. Default: false. */
  readonly isReplaceable?: boolean
}

export function createCatalog<Capabilities>(
  loaders: ToolsetLoaders<Capabilities>,
  { rightsOf, isReplaceable = false }: CatalogOptions = {},
): Catalog<Capabilities> {
  let names = Object.keys(loaders)
  const loaded = new Map<string, Promise<Loaded<Capabilities>>>()
  /** Those of `loaded` that have come. */
  const present = new Map<string, Loaded<Capabilities>>()
  const listeners = new Set<() => void>()
  let listings = new WeakMap<MayUse, Promise<Listing<Capabilities>>>()

  function load(toolset: string): Promise<Loaded<Capabilities>> {
    let set = loaded.get(toolset)
    // Removed by `replace` while a search for its tools was pending.
    if (!set && !loaders[toolset]) return Promise.resolve({ entries: new Map(), withheld: new Map() })
    if (!set) {
      set = loaders[toolset]!().then((found) => toLoaded(found, names.length > 1))
      loaded.set(toolset, set)
      const isCurrent = () => loaded.get(toolset) === set
      set.then(
        (come) => isCurrent() && present.set(toolset, come),
        // A toolset that could not be loaded is tried again at the next call.
        () => isCurrent() && loaded.delete(toolset),
      )
    }
    return set
  }

  async function listAll(mayUse: MayUse): Promise<Listing<Capabilities>> {
    const sets = await Promise.all(names.map(load))
    return toListing(sets.flatMap(({ entries }) => [...entries.values()]).filter(({ id }) => mayUse(id)))
  }

  function listFor(mayUse: MayUse): Promise<Listing<Capabilities>> {
    let listing = listings.get(mayUse)
    if (!listing) {
      listing = listAll(mayUse)
      listings.set(mayUse, listing)
      listing.catch(() => listings.get(mayUse) === listing && listings.delete(mayUse))
    }
    return listing
  }

  function forgetLists() {
    listings = new WeakMap()
    for (const tell of listeners) tell()
  }

  /** A tool by its full id. Loads its own toolset only: start-up of a single call depends on it. */
  async function findById(toolset: string, id: string): Promise<Found<Capabilities> | undefined> {
    const found = look(await load(toolset), toolset, id)
    if (found?.kind === 'found' || !loaders[toolset]?.settled) return found
    await loaders[toolset].settled()
    return look(await load(toolset), toolset, id)
  }

  const comesLater = (toolset: string) => loaders[toolset]!.settled !== undefined
  const toRights = (caller: Caller | undefined): MayUse => (caller && rightsOf?.(caller)) ?? everything

  return {
    canChange: isReplaceable || names.some(comesLater),
    async all(caller) {
      return (await listFor(toRights(caller))).entries
    },
    get toolsets() {
      return names
    },
    async within(ms) {
      const stop = new AbortController()
      const time = sleep(ms, undefined, { signal: stop.signal }).catch(() => {})
      const come = new Map<string, Loaded<Capabilities>>()
      const collect = (toolset: string) => load(toolset).then((set) => come.set(toolset, set))
      const [later, fixed] = [names.filter(comesLater), names.filter((toolset) => !comesLater(toolset))]
      await Promise.allSettled([...fixed.map(collect), Promise.race([Promise.allSettled(later.map(collect)), time])])
      stop.abort()
      return names.flatMap((toolset) => [...(come.get(toolset)?.entries.values() ?? [])].filter(isListed))
    },
    async withheld(toolsets = names) {
      const sets = await Promise.all(toolsets.map(async (toolset) => ({ toolset, ...(await load(toolset)) })))
      return sets.flatMap(({ toolset, withheld }) => [...withheld].map(([id, reasons]) => ({ id, toolset, reasons })))
    },
    async find(name, caller) {
      const mayUse = toRights(caller)
      const dot = name.indexOf('.')
      const toolset = name.slice(0, dot)
      if (dot > 0 && Object.hasOwn(loaders, toolset) && mayUse(name)) {
        const found = await findById(toolset, name)
        if (found) return found
      }
      const { entries, byName } = await listFor(mayUse)
      const named = byName.get(name) ?? []
      if (named.length === 1) return named[0]!
      if (named.length > 1) return { kind: 'ambiguous', choices: named.map((entry) => entry.id) }
      const only = names.length === 1 ? `${names[0]}.${name}` : undefined
      const found = only !== undefined && mayUse(only) && (await findById(names[0]!, only))
      if (found) return found
      const close = nearest(name, [
        ...entries.map((entry) => entry.id),
        ...entries.map((entry) => entry.tool.contract.name),
      ])
      return close ? { kind: 'unknown', nearest: close } : { kind: 'unknown' }
    },
    findLoaded(name, caller) {
      const dot = name.indexOf('.')
      const isBare = dot === -1 && names.length === 1
      const toolset = isBare ? names[0]! : name.slice(0, dot)
      const found = present.get(toolset)?.entries.get(isBare ? `${toolset}.${name}` : name)
      return found && toRights(caller)(found.id) ? found : undefined
    },
    reload(toolset) {
      loaded.delete(toolset)
      present.delete(toolset)
      forgetLists()
    },
    replace(nextLoaders, rights) {
      loaders = nextLoaders
      rightsOf = rights.rightsOf
      names = Object.keys(loaders)
      loaded.clear()
      present.clear()
      forgetLists()
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** What a toolset holds, by full id. */
interface Loaded<Capabilities> {
  readonly entries: ReadonlyMap<string, FoundTool<Capabilities>>
  readonly withheld: ReadonlyMap<string, readonly string[]>
  readonly fault?: string
}

function look<Capabilities>(
  { entries, withheld, fault }: Loaded<Capabilities>,
  toolset: string,
  id: string,
): Found<Capabilities> | undefined {
  const entry = entries.get(id)
  if (entry) return entry
  const reasons = withheld.get(id)
  if (reasons) return { kind: 'withheld', id, reasons }
  return fault === undefined ? undefined : { kind: 'unavailable', toolset, fault }
}

interface Listing<Capabilities> {
  readonly entries: readonly FoundTool<Capabilities>[]
  /** By bare name. */
  readonly byName: ReadonlyMap<string, readonly FoundTool<Capabilities>[]>
}

const everything: MayUse = () => true

function toListing<Capabilities>(entries: readonly FoundTool<Capabilities>[]): Listing<Capabilities> {
  return { entries: entries.filter(isListed), byName: Map.groupBy(entries, ({ tool }) => tool.contract.name) }
}

function isListed({ tool }: FoundTool<never>): boolean {
  return !tool.forApps
}

function toLoaded<Capabilities>(
  { name: toolset, description: toolsetDescription, tools, withheld = [], fault }: Toolset<Capabilities>,
  qualified: boolean,
): Loaded<Capabilities> {
  const entries = new Map<string, FoundTool<Capabilities>>()
  for (const tool of tools) {
    const id = `${toolset}.${tool.contract.name}`
    const name = qualified ? id : tool.contract.name
    entries.set(id, Object.freeze({ kind: 'found', id, name, toolset, toolsetDescription, tool }))
  }
  return {
    entries,
    withheld: new Map(withheld.map(({ name, reasons }) => [`${toolset}.${name}`, reasons])),
    ...(fault !== undefined && { fault }),
  }
}
