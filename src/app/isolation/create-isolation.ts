import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Probe } from '../../capabilities/sandbox/probe.ts'
import type { PreparedServer } from '../../capabilities/sandbox/server/open-server-sandbox.ts'
import { UpstreamFailure } from '../../host/connect/client.ts'
import type { Confinement, IsolationStatus, RefusedConnection } from '../../host/connect/confinement.ts'
import { describeGrants, toGrants } from '../../host/lock/grants.ts'
import type { UpstreamEntry } from '../../host/open-upstreams.ts'
import { isInside } from '../../policy/path.ts'

export interface IsolationOptions {
  /** The folder of the config: paths of grants are relative to it. */
  readonly folder: string
  readonly stateDirectory: () => string
  readonly protectedPaths: () => readonly string[]
  /** What confines servers here. Default: found out once per process. */
  readonly probe?: () => Promise<Probe>
  readonly record: (event: IsolationEvent) => unknown
}

/** What the ledger keeps. */
export type IsolationEvent =
  | { readonly kind: 'refused'; readonly server: string; readonly refused: RefusedConnection }
  | { readonly kind: 'unconfined'; readonly server: string; readonly reason: string }

/** Confines the servers of a config. The sandbox is loaded with the first server that needs it. */
export function createIsolation(options: IsolationOptions): (server: string, entry: UpstreamEntry) => Confinement {
  return (server, entry) => new ServerConfinement(server, entry, options)
}

const maxRefused = 50
/** Attempts at the same host are recorded again after this time. */
const recordMs = 60_000

class ServerConfinement implements Confinement {
  readonly #server: string
  readonly #entry: UpstreamEntry
  readonly #options: IsolationOptions
  readonly #refused = new Map<string, RefusedConnection & { readonly recordedAt: number }>()
  #probe: Probe | undefined

  constructor(server: string, entry: UpstreamEntry, options: IsolationOptions) {
    this.#server = server
    this.#entry = entry
    this.#options = options
  }

  async prepare(...[command, { signal, onInstalling }]: Parameters<Confinement['prepare']>) {
    const { isolation, container } = this.#entry
    const grants = toGrants(this.#entry)
    if (!grants) return undefined
    const { probe = () => probeHere(container) } = this.#options
    this.#probe = await probe()
    if ('reason' in this.#probe) {
      const { reason, suggestion } = this.#probe
      // A container was asked for by name.
      if (isolation === 'required' || container !== undefined)
        throw this.#fail(`It may run only confined, and ${reason}. To confine it: ${suggestion}`)
      this.#options.record({ kind: 'unconfined', server: this.#server, reason })
      return undefined
    }
    const { prepareServer, NotConfinable } = await import('../../capabilities/sandbox/server/open-server-sandbox.ts')
    const stateDirectory = this.#options.stateDirectory()
    const sandbox = {
      driver: this.#probe.driver,
      folder: join(stateDirectory, 'servers', toFolderName(this.#server, this.#options.folder)),
      stateDirectory,
      grants: { ...grants, read: this.#toPaths(grants.read), write: this.#toPaths(grants.write) },
      protectedPaths: this.#options.protectedPaths(),
      image: container,
      onRefused: (refused: Pick<RefusedConnection, 'host' | 'port' | 'reason'>) => this.#refuse(refused),
    }
    try {
      const installing = (by: string | undefined) => onInstalling(by === undefined ? undefined : { by })
      const prepared: PreparedServer = await prepareServer(sandbox, command, { signal, onInstalling: installing })
      return prepared
    } catch (cause) {
      throw cause instanceof NotConfinable ? this.#fail(`It cannot be confined: ${cause.message}`) : cause
    }
  }

  explain(since: number, words: string): string | undefined {
    if (this.status().state !== 'confined') return undefined
    const recent = [...this.#refused.values()].filter(({ at }) => Date.parse(at) >= since)
    const hosts = [...new Set(recent.map(({ host, port }) => toEntry(host, port)))].slice(0, 5)
    if (hosts.length > 0)
      return `The server was refused a connection to ${hosts.join(', ')}, which it was not granted. Do not repeat the call. The operator can allow it: toolpact mcp grant ${this.#server} ${hosts.map((host) => `--allow-host ${host}`).join(' ')}`
    const path = this.#findHiddenPath(words)
    if (path === undefined) return undefined
    return `The server may not use ${path}, which it was not granted. Do not repeat the call. The operator can allow it: toolpact mcp grant ${this.#server} --read ${path} (or --write)`
  }

  status(): IsolationStatus {
    const grants = toGrants(this.#entry)
    const refused = [...this.#refused.values()].map(({ recordedAt: _, ...rest }) => rest).reverse()
    const common = { may: describeGrants(grants), refused }
    if (this.#entry.isolation === 'off') return { ...common, state: 'off', reason: 'isolation is off' }
    if (!grants)
      return {
        ...common,
        state: 'ungranted',
        reason: 'nothing was granted to it yet',
        suggestion: `toolpact mcp grant ${this.#server}`,
      }
    if (this.#probe && 'reason' in this.#probe) return { ...common, ...this.#probe, may: describeGrants(undefined), state: 'unavailable' } // biome-ignore format: one line
    return { ...common, state: 'confined', ...(this.#probe && { by: this.#probe.driver.name }) }
  }

  #refuse({ host, port, reason }: Pick<RefusedConnection, 'host' | 'port' | 'reason'>) {
    const key = toEntry(host, port)
    const known = this.#refused.get(key)
    if (!known && this.#refused.size >= maxRefused) return
    const now = Date.now()
    const isRecorded = known !== undefined && now - known.recordedAt < recordMs
    const refused = {
      host,
      ...(port !== undefined && { port }),
      reason,
      count: (known?.count ?? 0) + 1,
      at: new Date(now).toISOString(),
      recordedAt: isRecorded ? known.recordedAt : now,
    }
    // Newest last.
    this.#refused.delete(key)
    this.#refused.set(key, refused)
    if (!isRecorded) this.#options.record({ kind: 'refused', server: this.#server, refused })
  }

  /** A path in an error that exists here, and that the server cannot see. */
  #findHiddenPath(words: string): string | undefined {
    if (!/ENOENT|EACCES|EPERM|EROFS|no such file|permission denied|read-only|not found|does not exist/i.test(words))
      return undefined
    const { read, write } = toGrants(this.#entry)!
    const granted = this.#toPaths(/EROFS|EACCES|read-only|permission denied/i.test(words) ? write : [...read, ...write])
    const isForeign = (path: string) => !granted.some((folder) => isInside(folder, path, process.platform)) && existsSync(path) // biome-ignore format: one line
    return [...words.matchAll(/\/[\w./@+-]+[\w@+-]/g)].map(([path]) => path).filter((path) => !systemPath.test(path)).find(isForeign) // biome-ignore format: one line
  }

  #toPaths(paths: readonly string[]): string[] {
    return paths.map((path) => resolve(this.#options.folder, path.replace(/^~(?=\/|$)/, homedir())))
  }

  #fail(what: string): UpstreamFailure {
    const advice = `Do not repeat the call. The operator must first change how the server ${this.#server} is confined. To check it: toolpact mcp inspect ${this.#server}`
    return new UpstreamFailure('unavailable', `${what}.`, { advice })
  }
}

async function probeHere(container: string | undefined): Promise<Probe> {
  const { probe } = await import('../../capabilities/sandbox/probe.ts')
  return probe({ wanted: container === undefined ? undefined : 'container' })
}

const systemPath = /^\/(?:usr|bin|sbin|lib|lib64|etc|opt|proc|dev|sys|run)(?:\/|$)/

/** As it would be granted. */
function toEntry(host: string, port: number | undefined): string {
  return port === undefined || port === 443 || port === 80 ? host : `${host}:${port}`
}

/** Servers of two configs may have the same name. */
function toFolderName(server: string, folder: string): string {
  return `${server}-${hash('sha256', `${folder}\0${server}`).slice(0, 8)}`
}
