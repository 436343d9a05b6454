import type { Probe } from '../../capabilities/sandbox/probe.ts'
import type { TriedFile } from '../../capabilities/sandbox/server/observe/observe-files.ts'
import type { PreparedServer } from '../../capabilities/sandbox/server/open-server-sandbox.ts'
import { toPathWord } from '../../contract/text/shell-word.ts'
import { UpstreamFailure } from '../../host/connect/client.ts'
import type { Confinement, IsolationStatus, Refused, RefusedConnection } from '../../host/connect/confinement.ts'
import { describeGrants, type GrantedEntry, toGrants } from '../../host/lock/grants.ts'
import { toServerFolder } from '../../state/server-folder.ts'
import { toGrantPath } from './grant-path.ts'
import { toAbsolute } from './is-granted.ts'
import { Refusals } from './refusals.ts'
import { findWanted } from './wanted-path.ts'

export interface IsolationOptions {
  /** The folder of the config: paths of grants are relative to it. */
  readonly folder: string
  readonly stateDirectory: () => string
  readonly protectedPaths: () => readonly string[]
  /** What confines servers here. Default: found out once per process. */
  readonly probe?: () => Promise<Probe>
  readonly record: (event: IsolationEvent) => unknown
}

/** Whose processes are confined: those of an MCP server, or the handlers of a contract folder. */
export type ConfinedKind = 'server' | 'contracts'

type ConfinementOptions = IsolationOptions & { readonly kind: ConfinedKind }

/** What the ledger keeps. */
export type IsolationEvent =
  | { readonly kind: 'refused'; readonly server: string; readonly of: ConfinedKind; readonly refused: Refused }
  | { readonly kind: 'unconfined'; readonly server: string; readonly of: ConfinedKind; readonly reason: string }

/** Confines the servers of a config. The sandbox is loaded with the first server that needs it. */
export function createIsolation(
  options: IsolationOptions,
): (name: string, entry: GrantedEntry, kind?: ConfinedKind) => Confinement {
  return (name, entry, kind = 'server') => new ServerConfinement(name, entry, { ...options, kind })
}

class ServerConfinement implements Confinement {
  readonly #server: string
  readonly #entry: GrantedEntry
  readonly #options: ConfinementOptions
  readonly #refusals: Refusals
  #probe: Probe | undefined
  #readTried = () => {}
  #weakness: string | undefined

  constructor(server: string, entry: GrantedEntry, options: ConfinementOptions) {
    this.#server = server
    this.#entry = entry
    this.#options = options
    this.#refusals = new Refusals((refused) => options.record({ kind: 'refused', server, of: options.kind, refused }))
  }

  get isInImage(): boolean {
    return this.#entry.container !== undefined
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
      this.#options.record({ kind: 'unconfined', server: this.#server, of: this.#options.kind, reason })
      return undefined
    }
    const [{ prepareServer }, { NotConfinable }] = await Promise.all([
      import('../../capabilities/sandbox/server/open-server-sandbox.ts'),
      import('../../capabilities/sandbox/server/server-command.ts'),
    ])
    const stateDirectory = this.#options.stateDirectory()
    const sandbox = {
      driver: this.#probe.driver,
      folder: this.#toFolder(),
      stateDirectory,
      grants: { ...grants, read: this.#toPaths(grants.read), write: this.#toPaths(grants.write) },
      protectedPaths: this.#options.protectedPaths(),
      image: container,
      onRefused: (refused: Pick<RefusedConnection, 'host' | 'port' | 'reason'>) => this.#refusals.addHost(refused),
      onTried: (tried: TriedFile) => this.#addTried(tried),
    }
    try {
      const installing = (by: string | undefined) => onInstalling(by === undefined ? undefined : { by })
      const prepared: PreparedServer = await prepareServer(sandbox, command, { signal, onInstalling: installing })
      this.#readTried = prepared.readTried
      this.#weakness = prepared.weakness
      return prepared
    } catch (cause) {
      throw cause instanceof NotConfinable ? this.#fail(`It cannot be confined: ${cause.message}`) : cause
    }
  }

  explain(since: number, words: string): string | undefined {
    if (this.status().state !== 'confined') return undefined
    const what = this.#options.kind === 'server' ? 'server' : 'contract folder'
    const hosts = [...new Set(this.#refusals.hostsSince(since).map(({ grant }) => grant))].slice(0, 5)
    if (hosts.length > 0)
      return `The ${what} was refused a connection to ${hosts.join(', ')}, which it was not granted. Do not repeat the call. The operator can allow it: ${this.#toGrant(hosts.map((grant) => ({ access: 'network', grant })))}`
    const named = this.#findNamed(words)
    const tried = [...(named ? [named] : []), ...this.#refusals.filesSince(since)].slice(0, 3)
    if (tried.length === 0) return undefined
    const paths = [...new Set(tried.map(({ path }) => path))].join(', ')
    const how = this.#toGrant(tried)
    // It may have gone on without the file, and failed for another reason.
    const isCause = named !== undefined || fileWords.test(words)
    if (isCause)
      return `The ${what} may not use ${paths}, which it was not granted. Do not repeat the call. The operator can allow it: ${how}`
    return `While it ran, the ${what} found no ${paths}, which it was not granted. If that is why it failed, the operator can allow it: ${how}`
  }

  /** What grants something: a command, or a change of the config. */
  #toGrant(wanted: readonly { readonly access: 'read' | 'write' | 'network'; readonly grant: string }[]): string {
    const isServer = this.#options.kind === 'server'
    const parts = wanted.map(({ access, grant }) => {
      if (!isServer) return `${JSON.stringify(grant)} to "${access}"`
      return access === 'network' ? `--allow-host ${grant}` : `--${access} ${toPathWord(grant)}`
    })
    const listed = [...new Set(parts)]
    if (isServer) return `toolpact mcp grant ${this.#server} ${listed.join(' ')}`
    return `add ${listed.join(', ')} in the entry of ${this.#server} under "contracts" in toolpact.json`
  }

  status(): IsolationStatus {
    this.#readTried()
    const grants = toGrants(this.#entry)
    const common = { may: describeGrants(grants), refused: this.#refusals.list() }
    if (this.#entry.isolation === 'off') return { ...common, state: 'off', reason: 'isolation is off' }
    if (!grants)
      return {
        ...common,
        state: 'ungranted',
        reason: 'nothing was granted to it yet',
        suggestion: `toolpact mcp grant ${this.#server}`,
      }
    if (this.#probe && 'reason' in this.#probe) return { ...common, ...this.#probe, may: describeGrants(undefined), state: 'unavailable' } // biome-ignore format: one line
    return {
      ...common,
      state: 'confined',
      ...(this.#probe && { by: this.#probe.driver.name }),
      ...(this.#weakness !== undefined && { weakness: this.#weakness }),
    }
  }

  #addTried(tried: TriedFile) {
    const refused = this.#toRefused(tried)
    if (refused) this.#refusals.addFile({ ...refused, reason: 'it was not granted, as its own process reports' })
  }

  #toRefused(tried: TriedFile): (TriedFile & { readonly grant: string }) | undefined {
    const { read, write } = toGrants(this.#entry)!
    const usable = { read: this.#toPaths(read), write: this.#toPaths(write), own: this.#toFolder() }
    const wanted = findWanted(tried, usable)
    const toPath = (path: string) => toGrantPath(path, undefined)
    return wanted === undefined ? undefined : { path: toPath(tried.path), access: tried.access, grant: toPath(wanted) }
  }

  /** A path in an error that exists here, and that the server cannot see. */
  #findNamed(words: string) {
    if (!fileWords.test(words)) return undefined
    const access = /EROFS|EACCES|read-only|permission denied/i.test(words) ? 'write' : 'read'
    const paths = [...words.matchAll(/\/[\w./@+-]+[\w@+-]/g)].slice(0, 5).map(([path]) => path)
    for (const path of paths) {
      const refused = this.#toRefused({ path, access })
      if (refused) return refused
    }
    return undefined
  }

  #toFolder(): string {
    return toServerFolder(this.#server, this.#options.stateDirectory(), this.#options.folder)
  }

  #toPaths(paths: readonly string[]): string[] {
    return paths.map((path) => toAbsolute(path, this.#options.folder))
  }

  #fail(what: string): UpstreamFailure {
    if (this.#options.kind === 'contracts') return new UpstreamFailure('unavailable', `${what}.`, {})
    const advice = `Do not repeat the call. The operator must first change how the server ${this.#server} is confined. To check it: toolpact mcp inspect ${this.#server}`
    return new UpstreamFailure('unavailable', `${what}.`, { advice })
  }
}

async function probeHere(container: string | undefined): Promise<Probe> {
  const { probe } = await import('../../capabilities/sandbox/probe.ts')
  return probe({ wanted: container === undefined ? undefined : 'container' })
}

const fileWords = /ENOENT|EACCES|EPERM|EROFS|no such file|permission denied|read-only|not found|does not exist/i
