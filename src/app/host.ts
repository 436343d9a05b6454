import type { JsonObject } from '../contract/json.ts'
import { lazily } from '../contract/lazily.ts'
import { readVersion } from '../contract/package-version.ts'
import type { ToolMemory, Upstreams } from '../host/open-upstreams.ts'
import type { ListedTools, UpstreamStatus } from '../host/upstream.ts'
import type { ToolsetLoaders } from '../runtime/pipeline/catalog.ts'
import type { Config } from './config/config.ts'
import type { HostLock } from './lock.ts'

type ServerEntries = NonNullable<Config['mcpServers']>

/** The MCP servers whose tools are here. */
export interface HostedServers {
  /** Starts the eager servers, where that was left to the caller (`start: 'held'`). */
  begin(): void
  /** Starts every server and says how each stands, once it is ready or has failed. */
  statuses(): Promise<readonly UpstreamStatus[]>
  /** How each stands now. */
  look(): readonly UpstreamStatus[]
  /** Reports each change of the state of a server. Returns what ends the reports. */
  watch(listener: (status: UpstreamStatus) => void): () => void
  /** Milliseconds until each server that runs answers, by name. */
  measure(): Promise<ReadonlyMap<string, number>>
  /** Decides anew about what they list, because the lock has changed. */
  readmit(): Promise<void>
}

export interface HostOptions {
  readonly servers: ServerEntries | undefined
  /** The folder of the config. */
  readonly folder: string
  readonly lock: HostLock
  readonly start: 'eager' | 'held' | 'lazy'
  /** The state directory, if what servers list is kept there for the next start. */
  readonly directory?: string | undefined
  /** How long the first list waits for a server. */
  readonly waitMs?: number | undefined
  /** Toolsets that are no server's: their tools must be told from those of servers. */
  readonly toolsets: ToolsetLoaders<never>
}

export interface Host extends HostedServers {
  loaders(): Promise<Upstreams['loaders']>
  onChange(listener: (server: string) => void): void
  /** Follows a change of the config: see `Upstreams.update`. */
  update(next: Pick<HostOptions, 'servers' | 'toolsets'>): Promise<void>
  close(): Promise<void>
}

/** Holds the servers of a config. Where there are none, nothing of what connects to them is loaded. */
export function createHost({ folder, lock, start, waitMs, directory, ...first }: HostOptions): Host {
  let { servers, toolsets } = first
  let upstreams: Upstreams | undefined
  let stopWatching = () => {}
  let isBegun = false
  const listeners = new Set<(server: string, change: 'tools' | 'state') => void>()

  async function open(entries: ServerEntries): Promise<void> {
    const [{ openUpstreams }, { openClient }, known] = await Promise.all([
      import('../host/open-upstreams.ts'),
      import('../host/connect/open-client.ts'),
      loadKnown(toolsets),
    ])
    const info = { name: 'toolpact', version: readVersion() }
    upstreams = openUpstreams(entries, {
      openClient,
      info,
      environment: process.env,
      folder,
      lock: lock.views,
      start,
      known,
      // One call needs its server anyway, and a command that lists tools wants them as they are now.
      ...(start !== 'lazy' && { memory: createToolMemory({ lock, folder, directory }) }),
      ...(waitMs !== undefined && { waitMs }),
    })
    upstreams.onChange((server, change) => {
      for (const listener of listeners) listener(server, change)
    })
    if (isBegun) upstreams.begin()
    // What another process accepts into the lock holds here too.
    stopWatching = lock.watch(() => upstreams?.readmit())
  }

  return {
    async loaders() {
      if (!upstreams && servers) await open(servers)
      return upstreams?.loaders ?? {}
    },
    onChange(listener) {
      listeners.add((server, change) => change === 'tools' && listener(server))
    },
    async update(next) {
      ;({ servers, toolsets } = next)
      await upstreams?.update(servers ?? {}, await loadKnown(toolsets))
    },
    begin() {
      isBegun = true
      upstreams?.begin()
    },
    async statuses() {
      await upstreams?.settled()
      return upstreams?.statuses() ?? []
    },
    look: () => upstreams?.statuses() ?? [],
    watch(listener) {
      const onChange = (server: string, change: 'tools' | 'state') => {
        if (change === 'state') listener(upstreams!.get(server)!.status())
      }
      listeners.add(onChange)
      return () => listeners.delete(onChange)
    },
    async measure() {
      const names = upstreams?.names ?? []
      const times = await Promise.all(names.map((name) => upstreams?.get(name)?.measure()))
      return new Map(names.flatMap((name, index) => (times[index] === undefined ? [] : [[name, times[index]]])))
    },
    async readmit() {
      await upstreams?.readmit()
    },
    async close() {
      stopWatching()
      await upstreams?.close()
    },
  }
}

/** The servers whose tools are wanted, with the settings that are for all; undefined where there are none. */
export function pickServers(
  { mcpServers = {}, withoutOutputSchema }: Pick<Config, 'mcpServers' | 'withoutOutputSchema'>,
  wanted: readonly string[] | undefined,
): ServerEntries | undefined {
  const forAll = { ...(withoutOutputSchema && { withoutOutputSchema }) }
  const entries = Object.entries(mcpServers)
    .filter(([name, { disabled }]) => !disabled && (wanted === undefined || wanted.includes(name)))
    .map(([name, entry]) => [name, { ...forAll, ...entry }])
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

/** Tools that are served beside those of servers, which must not have names that look like theirs. */
async function loadKnown(toolsets: ToolsetLoaders<never>) {
  const loaded = await Promise.all(Object.values(toolsets).map((load) => load()))
  return loaded.flatMap(({ name, tools }) => tools.map(({ contract }) => ({ server: name, tool: contract.name })))
}

interface MemoryOptions {
  readonly lock: Pick<HostLock, 'recall'>
  /** The folder of the config. */
  readonly folder: string
  /** The state directory. Without one, nothing is kept for the next start. */
  readonly directory: string | undefined
}

/** What is known of the tools of servers before they are up. What was accepted overrides what was listed last. */
function createToolMemory({ lock, folder, directory }: MemoryOptions): ToolMemory {
  const toServer = (name: string, address: object) => ({ name, folder, address: address as JsonObject })
  const store = lazily(async () =>
    directory === undefined ? undefined : (await import('../state/listed-tools.ts')).openListedTools(directory),
  )
  return {
    async recall(name, address) {
      const [accepted, kept] = await Promise.all([lock.recall(name), store()])
      const listed = kept?.load(toServer(name, address))
      return accepted && listed ? merge(accepted, listed) : (accepted ?? listed)
    },
    async remember(name, address, listed) {
      await (await store())?.save(toServer(name, address), listed)
    },
  }
}

function merge(accepted: ListedTools, listed: ListedTools): ListedTools {
  const byName = new Map(accepted.definitions.map((definition) => [definition.name, definition]))
  const names = new Set(listed.definitions.map(({ name }) => name))
  return {
    serverInfo: listed.serverInfo,
    definitions: [
      ...listed.definitions.map((definition) => byName.get(definition.name) ?? definition),
      ...accepted.definitions.filter(({ name }) => !names.has(name)),
    ],
  }
}
