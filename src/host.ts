import type { Config } from './config/config.ts'
import { readVersion } from './contract/package-version.ts'
import type { LockGate } from './lock.ts'
import type { ToolsetLoaders } from './pipeline/catalog.ts'
import type { Upstreams } from './upstream/open-upstreams.ts'
import type { UpstreamStatus } from './upstream/upstream.ts'

type ServerEntries = NonNullable<Config['mcpServers']>

/** The MCP servers whose tools are here. */
export interface UpstreamDesk {
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
  readonly lock: LockGate
  readonly start: 'eager' | 'held' | 'lazy'
  /** How long the first list waits for a server. */
  readonly waitMs?: number | undefined
  /** Toolsets that are no server's: their tools must be told from those of servers. */
  readonly toolsets: ToolsetLoaders<never>
}

export interface Host extends UpstreamDesk {
  loaders(): Promise<Upstreams['loaders']>
  onChange(listener: (server: string) => void): void
  close(): Promise<void>
}

/** Holds the servers of a config. Where there are none, nothing of what connects to them is loaded. */
export function createHost({ servers, folder, lock, start, waitMs, toolsets }: HostOptions): Host {
  let upstreams: Upstreams | undefined
  let watching: NodeJS.Timeout | undefined

  async function open(entries: ServerEntries): Promise<Upstreams> {
    const [{ openUpstreams }, { openClient }, loaded] = await Promise.all([
      import('./upstream/open-upstreams.ts'),
      import('./upstream/connect/open-client.ts'),
      Promise.all(Object.values(toolsets).map((load) => load())),
    ])
    const known = loaded.flatMap(({ name, tools }) =>
      tools.map(({ contract }) => ({ server: name, tool: contract.name })),
    )
    const info = { name: 'toolpact', version: readVersion() }
    return openUpstreams(entries, {
      openClient,
      info,
      environment: process.env,
      folder,
      lock: lock.views,
      start,
      known,
      ...(waitMs !== undefined && { waitMs }),
    })
  }

  return {
    async loaders() {
      if (!servers) return {}
      upstreams ??= await open(servers)
      watching ??= onChangeOf(lock.path, () => upstreams?.readmit())
      return upstreams.loaders
    },
    onChange(listener) {
      upstreams?.onChange((server, change) => {
        if (change === 'tools') listener(server)
      })
    },
    begin: () => upstreams?.begin(),
    async statuses() {
      await upstreams?.settled()
      return upstreams?.statuses() ?? []
    },
    look: () => upstreams?.statuses() ?? [],
    watch(listener) {
      const end = upstreams?.onChange((server, change) => {
        if (change === 'state') listener(upstreams!.get(server)!.status())
      })
      return end ?? (() => {})
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
      clearInterval(watching)
      await upstreams?.close()
    },
  }
}

/** The servers whose tools are wanted; undefined where there are none. */
export function pickServers(
  servers: ServerEntries = {},
  wanted: readonly string[] | undefined,
): ServerEntries | undefined {
  const entries = Object.entries(servers).filter(
    ([name, { disabled }]) => !disabled && (wanted === undefined || wanted.includes(name)),
  )
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

const lookEveryMs = 1000

/** What another process accepts into the lock holds here too, within a second. */
function onChangeOf(path: string, tell: () => void): NodeJS.Timeout {
  const { statSync } = process.getBuiltinModule('node:fs')
  const look = () => {
    try {
      const { ino, mtimeMs, size } = statSync(path)
      return `${ino} ${mtimeMs} ${size}`
    } catch {
      return undefined
    }
  }
  let seen = look()
  return setInterval(() => {
    const now = look()
    if (now === seen) return
    seen = now
    tell()
  }, lookEveryMs).unref()
}
