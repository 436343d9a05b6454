import { setTimeout as sleep } from 'node:timers/promises'
import type { Toolset } from '../contract/tool.ts'
import { reasons as reasonTable } from './admission/reasons.ts'
import type { KnownTool } from './admission/tool-index.ts'
import type { Reason } from './admission/verdict.ts'
import { openUpstream } from './open-upstream.ts'
import { SharedIndex } from './shared-index.ts'
import { StartGate } from './start-gate.ts'
import { type AddressContext, type ServerEntry, toAddress } from './to-address.ts'
import type { Upstream, UpstreamDeps, UpstreamSettings, UpstreamStatus } from './upstream.ts'

/** What the operator's file says of one server. */
export interface UpstreamEntry extends ServerEntry, UpstreamSettings {
  readonly start?: 'eager' | 'lazy'
}

export interface UpstreamsOptions extends AddressContext, Pick<UpstreamDeps, 'openClient' | 'info' | 'lock' | 'times'> {
  /**
   * When servers start whose entry does not specify it: with the host (`eager`), with `begin` (`held`) or when their
   * tools are first needed. Default: lazy.
   */
  readonly start?: 'eager' | 'held' | 'lazy'
  /** Tools that are no server's. */
  readonly known?: readonly KnownTool[]
  /** How long the first list waits for a server. Default: 8 s. */
  readonly waitMs?: number
}

export interface Upstreams {
  readonly names: readonly string[]
  /** One for each server, as a catalog takes them. A slow or broken one gives what there is. */
  readonly loaders: { readonly [name: string]: UpstreamLoader }
  statuses(): readonly UpstreamStatus[]
  get(name: string): Upstream | undefined
  /** Tells when the tools of a server have changed, or its state. Gives what ends the telling. */
  onChange(listener: (server: string, change: 'tools' | 'state') => void): () => void
  /** Starts the eager servers, without waiting for them. */
  begin(): void
  /** Starts every server that is not there, and waits until each is ready or has failed and the names of all are compared. */
  settled(): Promise<void>
  /** Decides anew about what servers list: the lock has changed. */
  readmit(): Promise<void>
  /** Ends all of them, in bounded time. Never rejects. */
  close(): Promise<void>
}

interface UpstreamLoader {
  (): Promise<Toolset>
  /** Resolves once the server is ready or has failed. */
  settled(): Promise<void>
}

type Listener = (server: string, change: 'tools' | 'state') => void

/** Holds the servers of the operator's file. None of them holds up another. */
export function openUpstreams(
  servers: { readonly [name: string]: UpstreamEntry },
  options: UpstreamsOptions,
): Upstreams {
  const names = Object.keys(servers)
  const { openClient, info, lock, times, start: startAll = 'lazy', waitMs = 8000 } = options
  const index = new SharedIndex(names, options.known)
  const gate = new StartGate()
  const listeners = new Set<Listener>()
  /** Servers whose names are being compared with others' again. */
  let comparing = Promise.resolve()
  const upstreams = new Map(names.map((name) => [name, open(name, servers[name]!)]))
  const loaders = Object.fromEntries([...upstreams].map(([name, upstream]) => [name, toLoader(upstream)]))
  if (startAll !== 'held') begin()

  function begin() {
    for (const name of names) if (isEager(servers[name]!)) loaders[name]!.begin()
  }

  function open(name: string, entry: UpstreamEntry): Upstream {
    return openUpstream(name, entry, {
      addressed: toAddress(name, entry, options),
      openClient,
      info,
      others: index.indexFor(name),
      keep: isEager(entry),
      ...(lock && { lock }),
      ...(times && { times }),
      onChange(change) {
        if (change === 'tools') seeTools(name)
        for (const tell of listeners) tell(name, change)
      },
    })
  }

  function isEager({ start = startAll }: Pick<UpstreamsOptions, 'start'>): boolean {
    return start !== 'lazy'
  }

  /** Others may now have names that cannot be told from this one's, or no longer. */
  function seeTools(name: string) {
    const { admitted, withheld } = upstreams.get(name)!.status()
    const listed = [...admitted.map(({ tool }) => tool.contract.name), ...withheld.map((tool) => tool.name)]
    const compared = [...index.set(name, listed)].map((other) => upstreams.get(other)?.readmit())
    if (compared.length > 0) comparing = Promise.all([comparing, ...compared]).then(() => {})
  }

  function toLoader(upstream: Upstream) {
    let begun: Promise<unknown> | undefined
    // The wait is for the first list: later ones give what there is.
    const begin = () => {
      begun ??= Promise.race([gate.run(() => upstream.ready()), sleep(waitMs, undefined, { ref: false })])
      return begun
    }
    const load = async () => {
      await begin()
      return toToolset(upstream.status())
    }
    const settled = async () => {
      await upstream.ready()
    }
    return Object.assign(load, { begin, settled })
  }

  const all = () => [...upstreams.values()]
  const readmit = async () => {
    await Promise.all(all().map((upstream) => upstream.readmit()))
  }
  return {
    names,
    loaders,
    statuses: () => all().map((upstream) => upstream.status()),
    get: (name) => upstreams.get(name),
    begin,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async settled() {
      await Promise.all(all().map((upstream) => gate.run(() => upstream.ready())))
      // One may affect the next, but only those that come later in the config.
      for (let seen: Promise<void> | undefined; seen !== comparing; ) {
        seen = comparing
        await seen
      }
    },
    readmit,
    async close() {
      listeners.clear()
      await Promise.all(all().map((upstream) => upstream.close()))
    },
  }
}

/** Nothing that the server says about itself is in it: callers read it, and some of them are models. */
function toToolset({ name, plainFault, wasListed, admitted, withheld }: UpstreamStatus): Toolset {
  return {
    name,
    description: `Tools of the MCP server ${name}.`,
    tools: admitted.map(({ tool }) => tool),
    withheld: withheld.map(({ name, reasons }) => ({ name, reasons: reasons.map(toPlainReason) })),
    // One that was lost is started again by the next call, so that its tools stay.
    ...(plainFault !== undefined && !wasListed && { fault: plainFault }),
  }
}

/** What was found may quote the definition, so that callers are told only what it was looked for. */
function toPlainReason({ code }: Reason): string {
  return reasonTable[code].when.replace(/\.$/, '')
}
