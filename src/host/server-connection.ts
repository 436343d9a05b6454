/**
 * Keeps the connection to one server: starts it when it is needed, restarts it with backoff after it was lost, and detects
 * servers that hang. `ready`, a call and a loss can each trigger a start at the same time.
 *
 * Invariants: at most one start is in flight (`#reviving`), and it begins only after the previous process or session has
 * ended (`#ending`). A late event of a replaced client changes nothing: every handler compares its client with `#client`.
 * After `close` the state stays `stopped`, and a start that was in flight is ended.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { appMimeType, appsExtension } from '../contract/app-ui.ts'
import type { JsonObject, JsonValue } from '../contract/json.ts'
import {
  type Authorizer,
  type ChangedList,
  type ClientOptions,
  type Install,
  type ServerAddress,
  type UpstreamCallOptions,
  type UpstreamClient,
  UpstreamFailure,
} from './connect/client.ts'
import {
  orAborted,
  toAbsence,
  toEntryFailure,
  toFailure,
  toFaultStatus,
  toInstalling,
  toServerFailure,
} from './faults.ts'
import { listServer, type ServerLists } from './offers/to-definitions.ts'
import { RestartPauses } from './restart-pauses.ts'
import { startClient } from './start-client.ts'
import {
  type UpstreamDeps,
  type UpstreamSettings,
  type UpstreamState,
  type UpstreamTimes,
  upstreamTimes,
} from './upstream.ts'
import { waitForServer } from './wait-for-server.ts'

/** The first ping may wait for other work of the server. */
const maxPings = 3

const defaultStartupMs = 30_000
const maxNoise = 50
/** After this many failures in a row, a server is restarted only when it is called. */
const maxUnaskedRestarts = 8
const closeMs = 10_000

interface ConnectionOptions
  extends Pick<UpstreamDeps, 'addressed' | 'openClient' | 'info' | 'keep' | 'times' | 'workspace' | 'logs'> {
  readonly name: string
  readonly authorizer?: Authorizer | undefined
  /** Read at each start. */
  readonly settings: () => UpstreamSettings
  /** A start has begun, and the server has not responded yet. */
  onStarting(): void
  /** Part of the start: the server is ready after this resolves. */
  onListed(client: UpstreamClient, lists: ServerLists): Promise<void>
  onListChanged(kind: ChangedList): void
  onResourceUpdated(uri: string): void
  /** The connection broke: another server may answer at the same address. Calls wait for this. Never rejects. */
  onDoubt(): Promise<void>
  onState(): void
  /** It failed for another reason than the last time. */
  onNewFault(): void
}

export class ServerConnection {
  readonly #options: ConnectionOptions
  readonly #times: Omit<UpstreamTimes, 'pauses'>
  readonly #pauses: RestartPauses
  readonly #closing = new AbortController()
  readonly #noise: string[] = []
  #state: UpstreamState = 'idle'
  #fault: UpstreamFailure | undefined
  #client: UpstreamClient | undefined
  #startedInMs: number | undefined
  #install: (Install & { readonly since: number }) | undefined
  #restarts = -1
  #readyAt = 0
  /** When it last responded. */
  #heardAt = 0
  /** Earliest time of the next start. */
  #retryAt = 0
  /** The start that is in flight or waits for `#retryAt`. */
  #reviving: Promise<void> | undefined
  #probing: Promise<void> | undefined
  /** Ends the pause before the next start. */
  #hurry = new AbortController()
  /** Resolves when the previous client has ended. */
  #ending: Promise<void> = Promise.resolve()

  constructor(options: ConnectionOptions) {
    this.#options = options
    const { pauses, ...times } = options.times ?? {}
    this.#times = { ...upstreamTimes, ...times }
    this.#pauses = new RestartPauses(pauses)
    if ('fault' in options.addressed) {
      this.#state = 'failed'
      this.#fault = toEntryFailure(options.addressed.fault, options.name)
    }
  }

  status() {
    return {
      name: this.#options.name,
      state: this.#state,
      ...toFaultStatus(this.#fault),
      ...(this.#startedInMs !== undefined && { startedInMs: this.#startedInMs }),
      ...(this.#install && { installing: toInstalling(this.#install) }),
      restarts: Math.max(0, this.#restarts),
      noise: [...this.#noise],
    }
  }

  /** Starts it unless it runs. Does not wait for a retry that is far off. Never rejects. */
  async ready(signal?: AbortSignal): Promise<void> {
    if (!this.#isAway()) await orAborted(this.#revive(), signal).catch(() => {})
  }

  /** Ends it, and starts it without a pause. Its calls in flight fail. Never rejects. */
  async restart(): Promise<void> {
    if (this.#state === 'stopped' || 'fault' in this.#options.addressed) return
    this.#retryAt = 0
    this.#hurry.abort()
    this.#hurry = new AbortController()
    this.#end()
    this.#move('starting')
    await this.#revive().catch(() => {})
  }

  async measure(): Promise<number | undefined> {
    return this.#client && measureClient(this.#client, this.#times.pingMs)
  }

  /** Fast path: the client, if the server responded recently and no health check is pending. */
  get healthyClient(): UpstreamClient | undefined {
    return this.#probing || this.#isSilent() ? undefined : this.#client
  }

  /** The client, once the server runs and has passed a health check that was due. */
  async waitForClient(options: UpstreamCallOptions): Promise<UpstreamClient> {
    if (this.#client && this.#isSilent()) this.#probe(this.#client)
    if (this.#probing) await orAborted(this.#probing, options.signal)
    const waiting = { ...options, status: () => this.status(), maxMs: this.#times.maxCallWaitMs }
    if (!this.#client && !this.#isAway()) await waitForServer(this.#revive(), waiting)
    if (this.#client) return this.#client
    throw this.#state === 'stopped' ? this.#closing.signal.reason : toAbsence(this.#fault, this.#retryAt)
  }

  async call(
    client: UpstreamClient,
    send: (client: UpstreamClient) => Promise<JsonValue>,
    options: UpstreamCallOptions,
  ): Promise<JsonValue> {
    try {
      const result = await send(client)
      this.#hearAlive()
      return result
    } catch (failure) {
      this.#closing.signal.throwIfAborted()
      const isBroken = (failure as UpstreamFailure).kind === 'unavailable'
      if (options.signal.aborted) this.#probe(client)
      else if (isBroken) this.#probe(client, this.#options.onDoubt)
      throw failure
    }
  }

  /** Lists what the running server offers. Undefined if it does not run, or was replaced meanwhile. */
  async list(): Promise<ServerLists | undefined> {
    const client = this.#client
    if (!client) return undefined
    const { startupMs = defaultStartupMs } = this.#options.settings()
    const until = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(startupMs)])
    const lists = await listServer(client, { signal: until, onNoise: (text) => this.addNoise(text) })
    if (client !== this.#client) return undefined
    this.#hearAlive()
    return lists
  }

  /** Replaces the set of resources whose changes the server reports. */
  follow(uris: readonly string[]) {
    this.#client?.subscribe(uris)
  }

  get capabilities(): JsonObject {
    return this.#client?.capabilities ?? {}
  }

  addNoise(text: string) {
    this.#noise.push(text)
    if (this.#noise.length > maxNoise) this.#noise.shift()
  }

  async close(why: string): Promise<void> {
    this.#closing.abort(new UpstreamFailure('unavailable', why))
    this.#end()
    this.#fault = undefined
    this.#move('stopped')
    const ended = Promise.all([this.#reviving?.catch(() => {}), this.#ending])
    await Promise.race([ended, sleep(closeMs, undefined, { ref: false })])
    // A start that was in flight may have replaced it.
    await Promise.race([this.#ending, sleep(closeMs, undefined, { ref: false })])
  }

  #isSilent(): boolean {
    return performance.now() - this.#heardAt > this.#times.idleMs
  }

  /** Stopped for good, or the next retry is too far off to wait for. */
  #isAway(): boolean {
    if (this.#state === 'stopped' || 'fault' in this.#options.addressed) return true
    return this.#state === 'failed' && this.#retryAt - performance.now() > this.#times.patienceMs
  }

  #revive(): Promise<void> {
    if (this.#client || this.#closing.signal.aborted) return Promise.resolve()
    this.#reviving ??= this.#wake().finally(() => {
      this.#reviving = undefined
      if (this.#state === 'failed') this.#keepRunning()
    })
    return this.#reviving
  }

  async #wake(): Promise<void> {
    const { signal } = this.#closing
    const pauseMs = this.#retryAt - performance.now()
    const hurried = AbortSignal.any([signal, this.#hurry.signal])
    if (pauseMs > 0) await sleep(pauseMs, undefined, { signal: hurried }).catch(() => {})
    await this.#ending
    const { addressed } = this.#options
    if (!signal.aborted && 'address' in addressed) await this.#start(addressed.address)
  }

  async #start(address: ServerAddress): Promise<void> {
    this.#move('starting')
    const begin = performance.now()
    const { openClient, info, settings, onStarting, onListed, onListChanged, onResourceUpdated } = this.#options
    const { startupMs = defaultStartupMs, installMs, protocol } = settings()
    const starting = startClient(address, {
      openClient,
      info,
      protocol,
      startupMs,
      ...(installMs !== undefined && { installMs }),
      onInstalling: (install) => this.#follow(install),
      authorizer: this.#options.authorizer,
      signal: this.#closing.signal,
      onListed: async (client, lists) => {
        this.#hearAlive()
        await onListed(client, lists)
      },
      onStarted: (client) => this.#become(client, performance.now() - begin),
      ...toOffered(this.#options),
      onListChanged,
      onResourceUpdated,
      onLost: (client, failure) => client === this.#client && this.#lose(failure),
      onNoise: (text) => this.addNoise(text),
      logs: this.#options.logs?.(this.#options.name),
    })
    onStarting()
    const failed = await starting
    if (!failed) return
    this.#install = undefined
    this.#ending = failed.ended
    if (!this.#closing.signal.aborted) this.#fail(failed.failure, 0)
  }

  #follow(install: Install | undefined) {
    if (install) this.#install ??= { ...install, since: performance.now() }
    else this.#install = undefined
    if (this.#state === 'starting' || this.#state === 'installing') this.#move(install ? 'installing' : 'starting')
  }

  #become(client: UpstreamClient, startedInMs: number) {
    this.#client = client
    this.#readyAt = performance.now()
    this.#startedInMs = startedInMs
    this.#restarts++
    this.#fault = undefined
    this.#move('ready')
  }

  /** Pings a server that may hang, and drops it if it does not respond. */
  #probe(client: UpstreamClient, afterwards?: () => Promise<void>) {
    if (client !== this.#client || this.#probing) return
    this.#probing = client
      .ping(AbortSignal.timeout(this.#times.pingMs))
      .then(
        () => {
          this.#hearAlive()
          return afterwards?.()
        },
        (failure) => {
          // A server that rejects pings is alive.
          if (failure instanceof UpstreamFailure && failure.kind === 'refused') return this.#hearAlive()
          const message = `The server stopped responding and was ended: ${toFailure(failure).plain}`
          if (client === this.#client) this.#lose(new UpstreamFailure('unavailable', message))
        },
      )
      .finally(() => {
        this.#probing = undefined
      })
  }

  #hearAlive() {
    this.#heardAt = performance.now()
  }

  #lose(failure: UpstreamFailure) {
    this.#end()
    this.#fail(failure, performance.now() - this.#readyAt)
    this.addNoise(`The connection was lost: ${failure.message}`)
    this.#keepRunning()
  }

  /** Closes the client. Its calls in flight fail. */
  #end() {
    const client = this.#client
    this.#client = undefined
    if (client) this.#ending = client.close()
  }

  #fail(cause: unknown, healthyForMs: number) {
    const before = this.#fault
    this.#fault = toServerFailure(cause, this.#options.name)
    // Whether the owner has connected meanwhile is looked up without asking the server, so that need not wait.
    this.#retryAt = this.#fault.isUnconnected ? 0 : performance.now() + this.#pauses.next(healthyForMs)
    this.#move('failed')
    if (this.#fault.plain !== before?.plain || this.#fault.advice !== before?.advice) this.#options.onNewFault()
  }

  #keepRunning() {
    const { keep } = this.#options
    if (keep && this.#pauses.failures <= maxUnaskedRestarts && !this.#fault?.isUnconnected) this.#revive()
  }

  #move(state: UpstreamState) {
    if (this.#state === state || this.#state === 'stopped') return
    this.#state = state
    this.#options.onState()
  }
}

/** What a server may ask for: the user's answers always, a model and the workspace if the operator allows it. */
function toOffered({ settings, workspace }: ConnectionOptions): Pick<ClientOptions, 'capabilities' | 'roots'> {
  const { sampling, roots, resources = true } = settings()
  const hasWorkspace = roots === 'workspace' && workspace !== undefined
  return {
    capabilities: {
      elicitation: { form: {}, url: {} },
      ...(sampling && { sampling: {} }),
      ...((hasWorkspace || roots === 'client') && { roots: {} }),
      // Always: connections are shared, and what is reviewed must not depend on the client that comes first.
      ...(resources && { extensions: { [appsExtension]: { mimeTypes: [appMimeType] } } }),
    },
    ...(hasWorkspace && { roots: [{ uri: pathToFileURL(workspace).href, name: 'workspace' }] }),
  }
}

/** The shortest round trip of a few pings, in milliseconds; undefined if the server does not answer. Never rejects. */
async function measureClient(client: UpstreamClient, pingMs: number): Promise<number | undefined> {
  const times: number[] = []
  while (times.length < maxPings) {
    const begun = performance.now()
    const failure = await client.ping(AbortSignal.timeout(pingMs)).then(() => undefined, toFailure)
    // A server that rejects pings is alive.
    if (failure && failure.kind !== 'refused') break
    times.push(performance.now() - begun)
  }
  return times.length === 0 ? undefined : Math.min(...times)
}
