import { setTimeout as sleep } from 'node:timers/promises'
import type { Risk } from '../../contract/contract.ts'
import { isSuffixed, mayBelongTo, toSafeName } from '../../contract/listed-names.ts'
import { toRightsId } from '../../contract/offer.ts'
import { nearest } from '../../contract/text/nearest.ts'
import type { Caller, Toolset } from '../../contract/tool.ts'
import {
  type CatalogEntry,
  type FoundTool,
  type LoadedToolset,
  type NameStyle,
  toLoadedToolset,
  type WithheldTool,
} from './loaded-toolset.ts'
import { narrow } from './narrow-rights.ts'

export type { CatalogEntry } from './loaded-toolset.ts'

/** The result of looking up a tool. */
export type Found<Capabilities> =
  | FoundTool<Capabilities>
  | { readonly kind: 'unknown'; readonly nearest?: string }
  /** `choices` are listed names, and `ids` the same tools by id. */
  | { readonly kind: 'ambiguous'; readonly choices: readonly string[]; readonly ids: readonly string[] }
  | WithheldTool
  | Unavailable

/** Its toolset cannot be reached. `advice`: what to do if a retry cannot help. */
interface Unavailable {
  readonly kind: 'unavailable'
  readonly toolset: string
  readonly fault: string
  readonly advice?: string | undefined
}

/** The tools that can be called, by listed name, full id, alias or, if unique, bare name. */
export interface Catalog<Capabilities> {
  /** Tools that the caller may not use are unknown to it. */
  find(name: string, caller?: Caller): Promise<Found<Capabilities>>
  /** Synchronous, by the listed name or full id of a loaded tool; undefined: use `find`. */
  findLoaded(name: string, caller?: Caller): FoundTool<Capabilities> | undefined
  /** Every tool, or every one that this caller may use, in the order of the toolsets. Returns the same array until something changes. */
  all(caller?: Caller): Promise<readonly CatalogEntry<Capabilities>[]>
  /** Every prompt and resource, or every one that this caller may use. Returns the same array until something changes. */
  offers(caller?: Caller): Promise<readonly CatalogEntry<Capabilities>[]>
  /** Every tool that is for apps alone, or every one that this caller may use. Returns the same array until something changes. */
  apps(caller?: Caller): Promise<readonly CatalogEntry<Capabilities>[]>
  /** The names of the toolsets, loaded or not. */
  readonly toolsets: readonly string[]
  /** Every tool, and every prompt and resource, that is available within this time. */
  within(ms: number): Promise<{
    readonly entries: readonly CatalogEntry<Capabilities>[]
    readonly offers: readonly CatalogEntry<Capabilities>[]
  }>
  /** Withheld tools by full id, with reasons: of every toolset, or of the named ones. */
  withheld(
    toolsets?: readonly string[],
  ): Promise<readonly (Omit<WithheldTool, 'kind'> & { readonly toolset: string })[]>
  /** A tool of the same toolset, by its bare name, if it is loaded. */
  findSibling(toolset: string, bareName: string): CatalogEntry<Capabilities> | undefined
  /** Whether the list of tools can change. */
  readonly canChange: boolean
  /** How long lists may be used: the shortest time of the loaded toolsets. Infinite if none limits it. */
  listTtlMs(): number
  /** Drops a loaded toolset because its tools have changed. */
  reload(toolset: string): void
  /** Replaces toolsets, rights and names. Calls in flight keep the tools that they found. */
  replace(loaders: ToolsetLoaders<Capabilities>, settings: CatalogSettings): void
  /** Subscribes to changes of the list; returns the unsubscribe function. */
  onChange(listener: () => void): () => void
}

/** Toolsets by name, each loaded when first needed. */
export type ToolsetLoaders<Capabilities> = { readonly [name: string]: ToolsetLoader<Capabilities> }

interface ToolsetLoader<Capabilities> {
  (): Promise<Toolset<Capabilities>>
  /** For a toolset that loads in the background: resolves once it has loaded or failed. Never rejects. */
  settled?(): Promise<void>
}

/** Whether a tool, given by its full id, may be used. `risk`: undefined if it is not known, because the tool is not there. */
export type MayUse = (id: string, risk: Risk | undefined) => boolean

/** The part of the catalog that the config controls. */
export interface CatalogSettings {
  /** What this caller may use; undefined: everything. Must return the same function for the same rights: lists are cached by it. */
  readonly rightsOf?: (caller: Caller) => MayUse | undefined
  /** How tools are listed. Calls accept both forms. Default: plain. */
  readonly names?: NameStyle
}

export interface CatalogOptions extends CatalogSettings {
  /** Whether `replace` may be called later. Default: false. */
  readonly isReplaceable?: boolean
}

export function createCatalog<Capabilities>(
  loaders: ToolsetLoaders<Capabilities>,
  { isReplaceable = false, ...settings }: CatalogOptions = {},
): Catalog<Capabilities> {
  let { rightsOf, names: style = 'plain' }: CatalogSettings = settings
  let toolsets = Object.keys(loaders)
  const loaded = new Map<string, Promise<LoadedToolset<Capabilities>>>()
  /** The entries of `loaded` that have resolved. */
  const present = new Map<string, LoadedToolset<Capabilities>>()
  /** Their tools by listed name and id; null if a name is ambiguous, which `find` resolves. */
  const known = new Map<string, FoundTool<Capabilities> | null>()
  const listeners = new Set<() => void>()
  let listings = new WeakMap<MayUse, Promise<Listing<Capabilities>>>()

  function load(toolset: string): Promise<LoadedToolset<Capabilities>> {
    let set = loaded.get(toolset)
    // Removed by `replace` while a search for its tools was pending.
    if (!set && !loaders[toolset])
      return Promise.resolve(
        toLoadedToolset<Capabilities>({ name: toolset, description: '', tools: [] }, { toolsets, style }),
      )
    if (!set) {
      set = loaders[toolset]!().then((found) => toLoadedToolset(found, { toolsets, style }))
      loaded.set(toolset, set)
      const isCurrent = () => loaded.get(toolset) === set
      set.then(
        (resolved) => isCurrent() && add(resolved),
        // Retried at the next call.
        () => isCurrent() && loaded.delete(toolset),
      )
    }
    return set
  }

  function add(set: LoadedToolset<Capabilities>) {
    present.set(set.toolset, set)
    for (const entry of set.entries.values())
      for (const name of [entry.id, entry.name, entry.functionName]) {
        const other = known.get(name)
        known.set(name, other === undefined || other === entry ? entry : null)
      }
  }

  function remove(toolset: string) {
    for (const { id, name, functionName } of present.get(toolset)?.entries.values() ?? [])
      for (const key of [id, name, functionName]) known.delete(key)
    present.delete(toolset)
    loaded.delete(toolset)
  }

  function findKnown(name: string, mayUse: MayUse): FoundTool<Capabilities> | undefined {
    const found = known.get(name)
    return found && mayUseTool(found, mayUse) ? found : undefined
  }

  /** Loads only the toolset in question: the start-up time of a single call depends on it. */
  async function findById(id: string, mayUse: MayUse): Promise<Found<Capabilities> | undefined> {
    const toolset = id.slice(0, Math.max(id.indexOf('.'), 0))
    if (!Object.hasOwn(loaders, toolset) || !mayUse(toRightsId(id), undefined)) return undefined
    const look = (set: LoadedToolset<Capabilities>): Found<Capabilities> | undefined => {
      const entry = set.entries.get(id)
      if (entry) return mayUseTool(entry, mayUse) ? entry : undefined
      return set.withheld.get(id) ?? toUnavailable(set)
    }
    const found = look(await load(toolset))
    if (found?.kind === 'found' || !loaders[toolset]?.settled) return found
    await loaders[toolset].settled()
    return look(await load(toolset))
  }

  /** By listed name or alias. Loads only toolsets that could own the name, the most specific first. */
  async function findByPrefix(name: string, mayUse: MayUse): Promise<Found<Capabilities> | undefined> {
    const likely = toolsets.length === 1 ? toolsets : toolsets.filter((toolset) => mayBelongTo(toolset, name))
    const sets: LoadedToolset<Capabilities>[] = []
    for (const toolset of likely.toSorted((one, other) => other.length - one.length)) {
      let set = await load(toolset)
      const settled = loaders[toolset]?.settled
      if (
        settled &&
        !findKnown(name, mayUse) &&
        !set.findByAlias(name).some((found) => found.kind === 'found' && mayUseTool(found, mayUse))
      ) {
        await settled()
        set = await load(toolset)
      }
      const found = findKnown(name, mayUse)
      if (found) return found
      sets.push(set)
    }
    return chooseByAlias(sets, name, mayUse)
  }

  async function findInList(name: string, mayUse: MayUse): Promise<Found<Capabilities> | undefined> {
    const { byBareName } = await listFor(mayUse)
    const named = byBareName.get(name)
    if (named) return toOnly(named)
    return isSuffixed(name) ? chooseByAlias(await Promise.all(toolsets.map(load)), name, mayUse) : undefined
  }

  async function findNearest(name: string, mayUse: MayUse): Promise<Found<Capabilities>> {
    const { entries } = await listFor(mayUse)
    const full = entries.map(({ id, functionName }) => (name.includes('.') ? id : functionName))
    const close = nearest(name, [...full, ...entries.map(({ tool }) => tool.contract.name)])
    return close ? { kind: 'unknown', nearest: close } : { kind: 'unknown' }
  }

  async function listAll(mayUse: MayUse): Promise<Listing<Capabilities>> {
    const sets = await Promise.all(toolsets.map(load))
    return toListing(
      sets
        .flatMap(({ entries }) => [...entries.values()])
        .filter((entry) => mayUse(entry.id, entry.tool.contract.risk)),
    )
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
    for (const notify of listeners) notify()
  }

  const comesLater = (toolset: string) => loaders[toolset]!.settled !== undefined
  const toRights = (caller: Caller | undefined): MayUse => {
    const mayUse = (caller && rightsOf?.(caller)) ?? everything
    return caller?.only ? narrow(mayUse, caller.only) : mayUse
  }

  return {
    canChange: isReplaceable || toolsets.some(comesLater),
    async all(caller) {
      return (await listFor(toRights(caller))).entries
    },
    async offers(caller) {
      return (await listFor(toRights(caller))).offers
    },
    async apps(caller) {
      return (await listFor(toRights(caller))).apps
    },
    get toolsets() {
      return toolsets
    },
    async within(ms) {
      const stop = new AbortController()
      const time = sleep(ms, undefined, { signal: stop.signal }).catch(() => {})
      const come = new Map<string, LoadedToolset<Capabilities>>()
      const collect = (toolset: string) => load(toolset).then((set) => come.set(toolset, set))
      const [later, fixed] = [toolsets.filter(comesLater), toolsets.filter((toolset) => !comesLater(toolset))]
      await Promise.allSettled([...fixed.map(collect), Promise.race([Promise.allSettled(later.map(collect)), time])])
      stop.abort()
      return toListing(toolsets.flatMap((toolset) => [...(come.get(toolset)?.entries.values() ?? [])]))
    },
    async withheld(named = toolsets) {
      const sets = await Promise.all(named.map(load))
      return sets.flatMap(({ toolset, withheld }) =>
        [...withheld.values()].map(({ id, reasons }) => ({ id, toolset, reasons })),
      )
    },
    async find(name, caller) {
      const mayUse = toRights(caller)
      const direct = findKnown(name, mayUse) ?? (await findById(name, mayUse))
      if (direct) return direct
      const prefixed = await findByPrefix(name, mayUse)
      if (prefixed?.kind === 'found' || prefixed?.kind === 'ambiguous') return prefixed
      return (await findInList(name, mayUse)) ?? prefixed ?? findNearest(name, mayUse)
    },
    findLoaded(name, caller) {
      return findKnown(name, toRights(caller))
    },
    findSibling(toolset, bareName) {
      return present.get(toolset)?.entries.get(`${toolset}.${bareName}`)
    },
    listTtlMs: () => Math.min(...[...present.values()].map(({ ttlMs = Number.POSITIVE_INFINITY }) => ttlMs)),
    reload(toolset) {
      remove(toolset)
      forgetLists()
    },
    replace(nextLoaders, next) {
      loaders = nextLoaders
      rightsOf = next.rightsOf
      style = next.names ?? 'plain'
      toolsets = Object.keys(loaders)
      loaded.clear()
      present.clear()
      known.clear()
      forgetLists()
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

interface Listing<Capabilities> {
  readonly entries: readonly FoundTool<Capabilities>[]
  readonly offers: readonly FoundTool<Capabilities>[]
  readonly apps: readonly FoundTool<Capabilities>[]
  /** By the name in the contract, and by the same without dots. */
  readonly byBareName: ReadonlyMap<string, readonly FoundTool<Capabilities>[]>
}

const everything: MayUse = () => true

function toListing<Capabilities>(all: readonly FoundTool<Capabilities>[]): Listing<Capabilities> {
  // A server may craft a name whose digest collides with another's. Clients could not distinguish them, so only the first is listed.
  const names = new Set<string>()
  const isFirst = ({ name }: FoundTool<Capabilities>) => !names.has(name) && names.add(name)
  const entries = all.filter((entry) => isListed(entry) && isFirst(entry))
  const apps = all.filter((entry) => entry.tool.forApps && isFirst(entry))
  const offers = all.filter(({ tool }) => tool.offer && tool.offer.kind !== 'helper')
  const tools = all.filter(({ tool }) => !tool.offer)
  const byBareName = Map.groupBy(tools, ({ tool }) => tool.contract.name)
  for (const [name, group] of Map.groupBy(tools, ({ tool }) => toSafeName(tool.contract.name)))
    if (!byBareName.has(name)) byBareName.set(name, group)
  return { entries, offers, apps, byBareName }
}

function mayUseTool({ id, tool }: FoundTool<never>, mayUse: MayUse): boolean {
  return mayUse(toRightsId(id), tool.contract.risk)
}

function isListed({ tool }: FoundTool<never>): boolean {
  return !tool.forApps && !tool.offer
}

function chooseByAlias<Capabilities>(
  sets: readonly LoadedToolset<Capabilities>[],
  name: string,
  mayUse: MayUse,
): Found<Capabilities> | undefined {
  const meant = sets
    .flatMap((set) => set.findByAlias(name))
    .filter((each) => mayUse(each.id, each.kind === 'found' ? each.tool.contract.risk : undefined))
  const found = meant.filter((each) => each.kind === 'found')
  if (found.length > 0) return toOnly(found)
  const away = sets.find(({ toolset, fault }) => fault !== undefined && mayUse(toLikelyId(toolset, name), undefined))
  return meant[0] ?? (away && toUnavailable(away))
}

function toUnavailable({ toolset, fault, faultAdvice }: LoadedToolset<never>): Unavailable | undefined {
  return fault === undefined ? undefined : { kind: 'unavailable', toolset, fault, advice: faultAdvice }
}

/** The id for a name in a toolset whose tools are not known. */
function toLikelyId(toolset: string, name: string): string {
  return `${toolset}.${name.startsWith(`${toolset}_`) ? name.slice(toolset.length + 1) : name}`
}

function toOnly<Capabilities>(found: readonly FoundTool<Capabilities>[]): Found<Capabilities> {
  if (found.length === 1) return found[0]!
  return { kind: 'ambiguous', choices: found.map(({ name }) => name), ids: found.map(({ id }) => id) }
}
