import type { LogLevel } from '../contract/call-client.ts'
import type { JsonObject } from '../contract/json.ts'
import { lazily } from '../contract/lazily.ts'
import { readVersion } from '../contract/package-version.ts'
import type { FollowRequest } from '../contract/trace-context.ts'
import type { ToolMemory, Upstreams, UpstreamsOptions } from '../host/open-upstreams.ts'
import type { ListedTools, UpstreamStatus } from '../host/upstream.ts'
import type { ToolsetLoaders } from '../runtime/pipeline/catalog.ts'
import type { Config } from './config/config.ts'
import type { IsolationOptions } from './isolation/create-isolation.ts'
import type { HostLock } from './lock.ts'

type ServerEntries = NonNullable<Config['mcpServers']>

/** The connected MCP servers. */
export interface HostedServers {
  /** Starts the eager servers, with `start: 'held'`. */
  begin(): void
  /** Starts every server, and resolves to the statuses once each is ready or has failed. */
  statuses(): Promise<readonly UpstreamStatus[]>
  /** The current statuses. */
  look(): readonly UpstreamStatus[]
  /** Called when the state or the tools of a server change. Returns a function that unsubscribes. */
  watch(listener: (status: UpstreamStatus) => void): () => void
  /** Reports log messages of servers from this level on. Servers that run already are not affected. */
  showLogs(level: LogLevel, onLog: (server: string, level: LogLevel, text: string) => void): void
  /** The round trip of a ping to each running server, in milliseconds, by name. */
  measure(): Promise<ReadonlyMap<string, number>>
  /** Runs admission again, after the lock has changed. */
  readmit(): Promise<void>
  /**
   * Ends a server and starts it again. Resolves to its status once it is ready or has failed; undefined if there is no such
   * server. Its calls in flight fail.
   */
  restart(name: string): Promise<UpstreamStatus | undefined>
}

export interface HostOptions {
  readonly servers: ServerEntries | undefined
  /** The folder of the config. */
  readonly folder: string
  readonly lock: HostLock
  /** Real path of the workspace. */
  readonly workspace: string
  readonly start: 'eager' | 'held' | 'lazy' | 'never'
  /** The state directory, if the lists of servers are stored there for the next run. */
  readonly directory?: string | undefined
  /** How long the first list waits for a server. */
  readonly waitMs?: number | undefined
  /** Follows the requests of calls. */
  readonly follow?: FollowRequest | undefined
  /** Credentials for servers that require a login. */
  readonly authorize?: UpstreamsOptions['authorize']
  /** Confines the processes of servers. */
  readonly isolation?: Omit<IsolationOptions, 'folder'>
  /** Toolsets that do not come from servers. Tools of servers must be distinguishable from theirs. */
  readonly toolsets: ToolsetLoaders<never>
}

export interface Host extends HostedServers {
  loaders(): Promise<Upstreams['loaders']>
  onChange(listener: (server: string) => void): void
  /** Applies a changed config: see `Upstreams.update`. */
  update(next: Pick<HostOptions, 'servers' | 'toolsets'>): Promise<void>
  close(): Promise<void>
}

/** Manages the servers of a config. Without any, the code that connects to them is not loaded. */
export function createHost({
  folder,
  lock,
  workspace,
  start,
  waitMs,
  directory,
  follow,
  authorize,
  isolation,
  ...first
}: HostOptions): Host {
  // biome-ignore format: one line
  let { servers, toolsets } = first
  let upstreams: Upstreams | undefined
  let stopWatching = () => {}
  let isBegun = false
  let logs: { level: LogLevel; onLog: (server: string, level: LogLevel, text: string) => void } | undefined
  const listeners = new Set<(server: string, change: 'tools' | 'state') => void>()

  async function open(entries: ServerEntries): Promise<void> {
    const [{ openUpstreams }, { openClient }, { createIsolation }, known] = await Promise.all([
      import('../host/open-upstreams.ts'),
      import('../host/connect/open-client.ts'),
      import('./isolation/create-isolation.ts'),
      loadKnown(toolsets),
    ])
    const info = { name: 'toolpact', version: readVersion() }
    upstreams = openUpstreams(entries, {
      openClient,
      info,
      environment: process.env,
      folder,
      workspace,
      lock: lock.views,
      start,
      logs: (server) => logs && { level: logs.level, onLog: (level, text) => logs?.onLog(server, level, text) },
      known,
      memory: createToolMemory({ lock, folder, directory, isLazy: start === 'lazy' }),
      ...(waitMs !== undefined && { waitMs }),
      ...(follow && { follow }),
      authorize,
      ...(isolation && { confine: createIsolation({ ...isolation, folder }) }),
    })
    upstreams.onChange((server, change) => {
      for (const listener of listeners) listener(server, change)
    })
    if (isBegun) upstreams.begin()
    // Another process may accept tools into the lock.
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
      const onChange = (server: string) => {
        const status = upstreams?.get(server)?.status()
        if (status) listener(status)
      }
      listeners.add(onChange)
      return () => listeners.delete(onChange)
    },
    showLogs(level, onLog) {
      logs = { level, onLog }
    },
    async measure() {
      const names = upstreams?.names ?? []
      const times = await Promise.all(names.map((name) => upstreams?.get(name)?.measure()))
      return new Map(names.flatMap((name, index) => (times[index] === undefined ? [] : [[name, times[index]]])))
    },
    async readmit() {
      await upstreams?.readmit()
    },
    restart: async (name) => upstreams?.get(name)?.restart(),
    async close() {
      stopWatching()
      await upstreams?.close()
    },
  }
}

/** The selected servers, with the settings that apply to all; undefined if there are none. */
export function pickServers(
  { mcpServers = {}, withoutOutputSchema, isolation }: Pick<Config, 'mcpServers' | 'withoutOutputSchema' | 'isolation'>,
  wanted: readonly string[] | undefined,
): ServerEntries | undefined {
  const forAll = { ...(withoutOutputSchema && { withoutOutputSchema }) }
  const entries = Object.entries(mcpServers)
    .filter(([name, { disabled }]) => !disabled && (wanted === undefined || wanted.includes(name)))
    .map(([name, entry]) => [name, { ...forAll, ...(entry.command !== undefined && isolation && { isolation }), ...entry }]) // biome-ignore format: one line
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

/** Tools that do not come from servers, for the comparison of names. */
async function loadKnown(toolsets: ToolsetLoaders<never>) {
  const loaded = await Promise.all(Object.values(toolsets).map((load) => load()))
  return loaded.flatMap(({ name, tools }) => tools.map(({ contract }) => ({ server: name, tool: contract.name })))
}

interface MemoryOptions {
  readonly lock: Pick<HostLock, 'recall'>
  /** The folder of the config. */
  readonly folder: string
  /** The state directory. Without one, nothing is stored for the next run. */
  readonly directory: string | undefined
  /** Remember what servers list, but recall nothing: a call needs its server anyway, and a list must be current. */
  readonly isLazy: boolean
}

/** The tools of servers as known before they are ready. Accepted definitions override those listed last. */
function createToolMemory({ lock, folder, directory, isLazy }: MemoryOptions): ToolMemory {
  const toServer = (name: string, address: object) => ({ name, folder, address: address as JsonObject })
  const store = lazily(async () =>
    directory === undefined ? undefined : (await import('../state/listed-tools.ts')).openListedTools(directory),
  )
  return {
    async recall(name, address) {
      if (isLazy) return undefined
      const [accepted, kept] = await Promise.all([lock.recall(name), store()])
      const listed = kept?.load(toServer(name, address))
      return accepted && listed ? merge(accepted, listed) : (accepted ?? listed)
    },
    async remember(name, address, listed) {
      const kept = await store()
      // A list that is the same is not written again.
      if (isLazy) kept?.load(toServer(name, address))
      await kept?.save(toServer(name, address), listed)
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
