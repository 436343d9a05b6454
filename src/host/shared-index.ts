import { foldName } from './admission/fold-name.ts'
import type { KnownTool, ToolIndex } from './admission/tool-index.ts'

/**
 * The tools of all servers, updated as servers come and go. If two names are indistinguishable, the tool of the server that
 * is first in the config wins, regardless of which was ready first.
 */
export class SharedIndex {
  #ranks: ReadonlyMap<string, number> = new Map()
  #known: readonly KnownTool[] = []
  readonly #byFoldedId = new Map<string, KnownTool[]>()
  readonly #byName = new Map<string, KnownTool[]>()
  readonly #tools = new Map<string, readonly KnownTool[]>()

  /** `known`: tools that do not come from servers. They take precedence over all servers. */
  constructor(servers: readonly string[], known: readonly KnownTool[] = []) {
    this.setServers(servers, known)
  }

  /** Applies a changed config. Returns whether the clashes of existing servers may have changed. */
  setServers(servers: readonly string[], known: readonly KnownTool[]): boolean {
    const kept = servers.filter((server) => this.#ranks.has(server))
    const isReordered = kept.some((server, at) => at > 0 && this.#rankOf(server) < this.#rankOf(kept[at - 1]!))
    const isOther = JSON.stringify(known) !== JSON.stringify(this.#known)
    this.#ranks = new Map(servers.map((server, rank) => [server, rank]))
    for (const tool of this.#known) this.#remove(tool)
    for (const tool of known) this.#add(tool)
    this.#known = known
    return isReordered || isOther
  }

  /** Replaces the tools of a server. Returns the servers with affected names. */
  set(server: string, names: readonly string[]): Set<string> {
    const affected = new Set<string>()
    const before = this.#tools.get(server) ?? []
    const after = [...new Set(names)].map((tool) => ({ server, tool }))
    for (const known of before) this.#remove(known)
    for (const known of after) this.#add(known)
    this.#tools.set(server, after)
    for (const { tool } of [...before, ...after]) {
      for (const other of this.#byFoldedId.get(toFoldedId(server, tool)) ?? [])
        if (this.#rankOf(other.server) > this.#rankOf(server)) affected.add(other.server)
    }
    return affected
  }

  /** The index from the point of view of one server. */
  indexFor(server: string): ToolIndex {
    return {
      findTwin: (_, tool) =>
        this.#byFoldedId
          .get(toFoldedId(server, tool))
          ?.find((known) => this.#rankOf(known.server) < this.#rankOf(server)),
      findElsewhere: (_, name) => {
        const all = this.#byName.get(name)
        return all?.some((known) => known.server === server) ? undefined : all?.[0]
      },
    }
  }

  #rankOf(server: string): number {
    return this.#ranks.get(server) ?? -1
  }

  #add(known: KnownTool) {
    for (const [map, key] of this.#placesOf(known)) {
      const list = map.get(key)
      if (list) list.push(known)
      else map.set(key, [known])
    }
  }

  #remove(known: KnownTool) {
    for (const [map, key] of this.#placesOf(known)) {
      const left = map.get(key)?.filter((other) => other !== known) ?? []
      if (left.length > 0) map.set(key, left)
      else map.delete(key)
    }
  }

  #placesOf({ server, tool }: KnownTool) {
    return [
      [this.#byFoldedId, toFoldedId(server, tool)],
      [this.#byName, tool],
    ] as const
  }
}

function toFoldedId(server: string, tool: string): string {
  return foldName(`${server}.${tool}`)
}
