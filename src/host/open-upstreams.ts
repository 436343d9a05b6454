import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Tool, Toolset } from '../contract/tool.ts'
import type { FollowRequest, SentRequest } from '../contract/trace-context.ts'
import { reasons as reasonTable } from './admission/reasons.ts'
import type { KnownTool } from './admission/tool-index.ts'
import type { Reason } from './admission/verdict.ts'
import type { ServerAddress } from './connect/client.ts'
import type { Confinement } from './connect/confinement.ts'
import { toExplained } from './faults.ts'
import { openUpstream } from './open-upstream.ts'
import { SharedIndex } from './shared-index.ts'
import { StartLimiter } from './start-limiter.ts'
import { type AddressContext, type ServerEntry, toAddress } from './to-address.ts'
import {
  type Authorize,
  type ListedTools,
  type Upstream,
  type UpstreamDeps,
  type UpstreamSettings,
  type UpstreamStatus,
  upstreamTimes,
} from './upstream.ts'
import { toPending } from './wait-for-server.ts'

/** The config entry of one server. */
export interface UpstreamEntry extends ServerEntry, UpstreamSettings {
  readonly start?: 'eager' | 'lazy'
}

export interface UpstreamsOptions
  extends AddressContext,
    Pick<UpstreamDeps, 'openClient' | 'info' | 'lock' | 'times' | 'workspace' | 'logs'> {
  /**
   * When servers without a `start` of their own start: with the host (`eager`), with `begin` (`held`), or when their
   * tools are first needed (`lazy`). Default: lazy.
   */
  readonly start?: 'eager' | 'held' | 'lazy' | 'never'
  /** Tools that do not come from servers. */
  readonly known?: readonly KnownTool[]
  /** Remembers the tools of servers from one run to the next. */
  readonly memory?: ToolMemory
  /** Credentials for a server that requires a login; undefined if it does not. */
  readonly authorize?: ((server: string, entry: UpstreamEntry) => Authorize | undefined) | undefined
  /** Confines the processes of servers; undefined for one that is not started by a command. */
  readonly confine?: ((server: string, entry: UpstreamEntry) => Confinement | undefined) | undefined
  /** How long the first list waits for a server. Default: 8 s. */
  readonly waitMs?: number
  /** Follows the requests of calls. */
  readonly follow?: FollowRequest
}

export interface ToolMemory {
  /** Never rejects. */
  recall(server: string, address: ServerAddress): Promise<ListedTools | undefined>
  remember(server: string, address: ServerAddress, listed: ListedTools): void
}

export interface Upstreams {
  readonly names: readonly string[]
  /** One per server, for the catalog. A slow or failed server yields the tools that are known. */
  readonly loaders: { readonly [name: string]: UpstreamLoader }
  statuses(): readonly UpstreamStatus[]
  get(name: string): Upstream | undefined
  /** Called when the tools or the state of a server change. Returns a function that unsubscribes. */
  onChange(listener: (server: string, change: 'tools' | 'state') => void): () => void
  /** Starts the eager servers, without waiting for them. */
  begin(): void
  /**
   * Applies a changed config. Servers whose connection settings changed are restarted; other settings apply without a
   * restart, and unchanged servers keep running. Calls in flight to a removed server fail.
   */
  update(servers: { readonly [name: string]: UpstreamEntry }, known: readonly KnownTool[]): Promise<void>
  /** Starts every server, and waits until each is ready or has failed and all names have been compared. */
  settled(): Promise<void>
  /** Runs admission again, after the lock has changed. */
  readmit(): Promise<void>
  /** Stops all servers, in bounded time. Never rejects. */
  close(): Promise<void>
}

interface UpstreamLoader {
  (): Promise<Toolset>
  /** Resolves once the server is ready or has failed. */
  settled(): Promise<void>
}

interface Opened {
  readonly entry: UpstreamEntry
  readonly upstream: Upstream
  readonly loader: UpstreamLoader & { begin(started?: () => Promise<unknown>): Promise<unknown> }
}

type Listener = (server: string, change: 'tools' | 'state') => void

/** Opens the servers of the config. They start independently of each other. */
export function openUpstreams(
  servers: { readonly [name: string]: UpstreamEntry },
  options: UpstreamsOptions,
): Upstreams {
  const {
    openClient,
    info,
    lock,
    times,
    memory,
    workspace,
    logs,
    follow,
    start: startAll = 'lazy',
    waitMs = 8000,
  } = options
  const index = new SharedIndex(Object.keys(servers), options.known)
  const limiter = new StartLimiter()
  const listeners = new Set<Listener>()
  /** Resolves when the pending comparisons of tool names are done. */
  let comparing = Promise.resolve()
  const opened = new Map<string, Opened>()
  /** Removed or replaced servers that are still stopping. */
  const ending = new Set<Promise<void>>()
  let isBegun = startAll !== 'held' && startAll !== 'never'
  for (const [name, entry] of Object.entries(servers)) hold(name, entry)
  if (isBegun) begin()

  function begin() {
    isBegun = true
    for (const { entry, loader } of opened.values()) if (isEager(entry)) loader.begin()
  }

  /** `ended`: resolves when the previous server of that name has stopped. The two must not run at the same time. */
  function hold(name: string, entry: UpstreamEntry, ended?: Promise<void>) {
    const upstream = open(name, entry, ended)
    opened.set(name, { entry, upstream, loader: toLoader(upstream, entry) })
  }

  function end(upstream: Upstream, why: string): Promise<void> {
    const ended = upstream.close(`The server ${upstream.name} ${why}`).finally(() => ending.delete(ended))
    ending.add(ended)
    return ended
  }

  function open(name: string, entry: UpstreamEntry, ended: Promise<void> | undefined): Upstream {
    const addressed = toAddress(name, entry, options)
    const confinement = entry.command === undefined ? undefined : options.confine?.(name, entry)
    const upstream = openUpstream(name, entry, {
      addressed,
      ...('address' in addressed && memory && toMemoryOf(memory, name, addressed.address)),
      async openClient(address, clientOptions) {
        await ended
        const begun = Date.now()
        const following = follow && { follow: (sent: Omit<SentRequest, 'server'>) => follow({ server: name, ...sent }) }
        return openClient(address, { ...clientOptions, ...following, confine: confinement }).catch((cause) => {
          throw toExplained(cause, confinement, begun)
        })
      },
      confinement,
      info,
      authorize: options.authorize?.(name, entry),
      workspace,
      logs,
      others: index.indexFor(name),
      keep: isEager(entry),
      ...(lock && { lock }),
      ...(times && { times }),
      onChange(change) {
        // Ignore a replaced server that is still stopping.
        if (opened.get(name)?.upstream !== upstream) return
        if (change === 'tools') seeTools(name)
        for (const listener of listeners) listener(name, change)
      },
    })
    return upstream
  }

  function isEager({ start = startAll }: Pick<UpstreamsOptions, 'start'>): boolean {
    return start !== 'lazy'
  }

  /** Name clashes with other servers may have appeared or gone away. */
  function seeTools(name: string) {
    const { admitted, withheld } = opened.get(name)!.upstream.status()
    const listed = [...admitted.map(({ tool }) => tool.contract.name), ...withheld.map((tool) => tool.name)]
    compareAgain(index.set(name, listed))
  }

  function compareAgain(names: Iterable<string>) {
    const compared = [...names].map((other) => opened.get(other)?.upstream.readmit())
    if (compared.length > 0) comparing = Promise.all([comparing, ...compared]).then(() => {})
  }

  function toLoader(upstream: Upstream, entry: UpstreamEntry) {
    let begun: Promise<unknown> | undefined
    // Only the first list waits for the server.
    const begin = (started = () => limiter.run(() => upstream.ready())) => {
      begun ??= Promise.race([started(), sleep(waitMs, undefined, { ref: false })])
      return begun
    }
    const load = async () => {
      const isKnown = await upstream.recall()
      if (startAll === 'never') return toToolset(upstream.status(), upstream.ownTools)
      // A lazy server whose tools are known starts with the first call.
      if (!isKnown) await begin()
      else if (isEager(entry)) begin()
      return toToolset(upstream.status(), upstream.ownTools)
    }
    const settled = async () => {
      // A one-shot command waits as long as the start takes.
      const patience = startAll === 'lazy' ? undefined : (times?.maxCallWaitMs ?? upstreamTimes.maxCallWaitMs)
      const ready = upstream.ready()
      if (patience === undefined) return void (await ready)
      const isReady = await Promise.race([ready.then(() => true), sleep(patience, false, { ref: false })])
      // Reports how long it has been starting.
      if (!isReady) for (const listener of listeners) listener(upstream.name, 'tools')
    }
    return Object.assign(load, { begin, settled })
  }

  const all = () => [...opened.values()].map(({ upstream }) => upstream)
  const readmit = async () => {
    await Promise.all(all().map((upstream) => upstream.readmit()))
  }
  return {
    get names() {
      return [...opened.keys()]
    },
    get loaders() {
      return Object.fromEntries([...opened].map(([name, { loader }]) => [name, loader]))
    },
    statuses: () => all().map((upstream) => upstream.status()),
    get: (name) => opened.get(name)?.upstream,
    begin,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async settled() {
      await Promise.all(
        [...opened.values()].map(({ upstream, loader }) => {
          const started = limiter.run(() => upstream.ready())
          // The first list reuses this start. Otherwise it would retry a server that has just failed.
          loader.begin(() => started)
          return started
        }),
      )
      // A comparison may trigger others, but only of servers later in the config, so this ends.
      for (let seen: Promise<void> | undefined; seen !== comparing; ) {
        seen = comparing
        await seen
      }
    },
    readmit,
    async update(next, known) {
      const before = new Map(opened)
      const isKept = (name: string) => {
        const old = before.get(name)
        return old !== undefined && Object.hasOwn(next, name) && !needsRestart(old.entry, next[name]!)
      }
      opened.clear()
      const isReordered = index.setServers(Object.keys(next), known)
      for (const [name, entry] of Object.entries(next)) {
        const old = before.get(name)
        if (isKept(name)) opened.set(name, { ...old!, entry })
        else hold(name, entry, old && end(old.upstream, 'is restarted, because its config has changed. Call again.'))
      }
      for (const [name, { upstream }] of before) {
        if (isKept(name)) continue
        if (!opened.has(name)) end(upstream, 'was removed from the config.')
        compareAgain(index.set(name, []))
      }
      if (isReordered) compareAgain(opened.keys())
      if (isBegun) begin()
      const changed = [...opened].filter(
        ([name, { entry }]) => isKept(name) && !isDeepStrictEqual(before.get(name)!.entry, entry),
      )
      await Promise.all([comparing, ...changed.map(([, { upstream, entry }]) => upstream.configure(entry))])
    },
    async close() {
      listeners.clear()
      await Promise.all([...all().map((upstream) => upstream.close()), ...ending])
    },
  }
}

/** A change of these needs a restart. */
const connectionKeys = [
  'command',
  'args',
  'env',
  'cwd',
  'url',
  'headers',
  'authorization',
  'type',
  'protocol',
  'start',
  'roots',
  'sampling',
  'isolation',
  'container',
  'read',
  'write',
  'network',
] as const

function needsRestart(before: UpstreamEntry, after: UpstreamEntry): boolean {
  return connectionKeys.some((key) => !isDeepStrictEqual(before[key], after[key]))
}

function toMemoryOf(
  memory: ToolMemory,
  name: string,
  address: ServerAddress,
): Pick<UpstreamDeps, 'recall' | 'remember'> {
  return {
    recall: () => memory.recall(name, address),
    remember: (listed) => memory.remember(name, address, listed),
  }
}

/** Models read this, so it contains nothing that the server says about itself. */
function toToolset(status: UpstreamStatus, own: readonly Tool[]): Toolset {
  const { name, plainFault = toPending(status), faultAdvice, wasListed, admitted, withheld, ttlMs } = status
  return {
    name,
    description: `Tools of the MCP server ${name}.`,
    tools: [...admitted.flatMap(({ tool }) => [tool, ...(tool.helpers ?? [])]), ...own],
    withheld: withheld.map(({ name, reasons }) => ({ name, reasons: reasons.map(toPlainReason) })),
    ...(ttlMs !== undefined && { ttlMs }),
    // The tools of a lost server stay listed: the next call restarts it.
    ...(plainFault !== undefined &&
      !wasListed && { fault: plainFault, ...(faultAdvice !== undefined && { faultAdvice }) }),
  }
}

/** The full message may quote the definition, which callers must not read. */
function toPlainReason({ code }: Reason): string {
  return reasonTable[code].when.replace(/\.$/, '')
}
