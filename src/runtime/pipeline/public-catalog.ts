import { isPublic, isPublicCaller } from '../../contract/public-access.ts'
import type { Caller } from '../../contract/tool.ts'
import type { Catalog, CatalogEntry, Found } from './catalog.ts'
import type { FoundTool } from './loaded-toolset.ts'

/** Shows the public caller only public tools. All others are unknown to it. */
export function withPublicCaller<Capabilities>(catalog: Catalog<Capabilities>): Catalog<Capabilities> {
  type Entries = readonly CatalogEntry<Capabilities>[]
  /** Cached, so that an unchanged list stays the same array. */
  const lists = new WeakMap<Entries, Entries>()
  const unknown: Found<Capabilities> = { kind: 'unknown' }

  function filter(entries: Entries): Entries {
    let shown = lists.get(entries)
    if (!shown) {
      shown = entries.filter(({ tool }) => isPublic(tool.contract))
      lists.set(entries, shown)
    }
    return shown
  }

  async function findPublic(name: string, caller: Caller | undefined): Promise<Found<Capabilities>> {
    const found = await catalog.find(name, caller)
    if (found.kind === 'found') return isPublic(found.tool.contract) ? found : unknown
    if (found.kind !== 'ambiguous') return unknown
    const choices = (await Promise.all(found.ids.map((id) => findPublic(id, caller)))).filter(isFound)
    if (choices.length < 2) return choices[0] ?? unknown
    return { kind: 'ambiguous', choices: choices.map(({ name }) => name), ids: choices.map(({ id }) => id) }
  }

  const own: Pick<Catalog<Capabilities>, 'all' | 'offers' | 'find' | 'findLoaded'> = {
    async all(caller) {
      const entries = await catalog.all(caller)
      return isPublicCaller(caller) ? filter(entries) : entries
    },
    async offers(caller) {
      const offers = await catalog.offers(caller)
      return isPublicCaller(caller) ? filter(offers) : offers
    },
    find: (name, caller) => (isPublicCaller(caller) ? findPublic(name, caller) : catalog.find(name, caller)),
    findLoaded(name, caller) {
      const found = catalog.findLoaded(name, caller)
      return found && isPublicCaller(caller) && !isPublic(found.tool.contract) ? undefined : found
    },
  }
  // Everything else, getters included, is inherited from the catalog.
  return Object.assign(Object.create(catalog) as Catalog<Capabilities>, own)
}

function isFound<Capabilities>(found: Found<Capabilities>): found is FoundTool<Capabilities> {
  return found.kind === 'found'
}
