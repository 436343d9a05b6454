import { setTimeout as sleep } from 'node:timers/promises'
import type { JsonObject, JsonValue } from '../contract/json.ts'
import type { Tool } from '../contract/tool.ts'
import type { AdmittedTools } from './admitted-tools.ts'
import {
  type Install,
  type ServerAddress,
  type UpstreamCallOptions,
  type UpstreamClient,
  UpstreamFailure,
} from './connect/client.ts'
import { createQuote } from './connect/quote.ts'
import {
  orAborted,
  toAbsence,
  toEntryFailure,
  toFailure,
  toFaultStatus,
  toInstalling,
  toServerFailure,
  toWithdrawn,
} from './faults.ts'
import { measureClient } from './measure-client.ts'
import { Refresher } from './refresher.ts'
import { RestartPauses } from './restart-pauses.ts'
import { startClient } from './start-client.ts'
import type { SendCall } from './to-tool.ts'
import type {
  Upstream,
  UpstreamDeps,
  UpstreamSettings,
  UpstreamState,
  UpstreamStatus,
  UpstreamTimes,
} from './upstream.ts'
import { upstreamTimes } from './upstream.ts'
import { waitForServer } from './wait-for-server.ts'

const defaultStartupMs = 30_000
const maxNoise = 50
/** A server that nobody calls is started again so often in a row, and then only when somebody does. */
const maxUnasked = 8
const closeMs = 10_000

/** Holds one server: starts it when it is needed, and again when it is lost. Nothing runs before `ready` or a call. */
export function openUpstream(name: string, settings: UpstreamSettings, deps: UpstreamDeps): Upstream {
  return new LiveUpstream(name, settings, deps)
}

class LiveUpstream implements Upstream {
  readonly name: string
  #settings: UpstreamSettings
  readonly #deps: UpstreamDeps
  readonly #times: Omit<UpstreamTimes, 'pauses'>
  readonly #pauses: RestartPauses
  readonly #refresher: Refresher
  readonly #closing = new AbortController()
  readonly #noise: string[] = []
  #state: UpstreamState = 'idle'
  #fault: UpstreamFailure | undefined
  #client: UpstreamClient | undefined
  #loading: Promise<AdmittedTools> | undefined
  #tools: AdmittedTools | undefined
  /** What is known from the last time that it was connected. */
  #about: Pick<UpstreamClient, 'revision' | 'serverInfo' | 'instructions'> | undefined
  /** The same, or what was known before it was connected. */
  #serverInfo: JsonObject = {}
  #startedInMs: number | undefined
  #install: (Install & { readonly since: number }) | undefined
  #restarts = -1
  #wasListed = false
  /** Its tools were admitted once, whether it had listed them or they were recalled. */
  #isKnown = false
  #isListing = false
  #recalling: Promise<boolean> | undefined
  #readyAt = 0
  #heardAt = 0
  /** Not to be started before. */
  #retryAt = 0
  /** The start that is under way or waits for its time. */
  #reviving: Promise<void> | undefined
  #probing: Promise<void> | undefined
  /** What must have ended before it is started again. */
  #ending: Promise<void> = Promise.resolve()

  constructor(name: string, settings: UpstreamSettings, deps: UpstreamDeps) {
    this.name = name
    this.#settings = settings
    this.#deps = deps
    const { pauses, ...times } = deps.times ?? {}
    this.#times = { ...upstreamTimes, ...times }
    this.#pauses = new RestartPauses(pauses)
    if ('fault' in deps.addressed) {
      // Where it is cannot be told, so that there is nothing to try.
      this.#state = 'failed'
      this.#fault = toEntryFailure(deps.addressed.fault, name)
    }
    const { settleMs, minListMs } = this.#times
    this.#refresher = new Refresher(() => this.#listAgain(), { settleMs, minMs: minListMs })
  }

  async ready(signal?: AbortSignal): Promise<UpstreamStatus> {
    if (!this.#isAway()) await orAborted(this.#revive(), signal).catch(() => {})
    return this.status()
  }

  recall(): Promise<boolean> {
    if (this.#wasListed) return Promise.resolve(true)
    this.#recalling ??= this.#recall().catch(() => false)
    return this.#recalling
  }

  async #recall(): Promise<boolean> {
    const known = await this.#deps.recall?.()
    // Once the server has listed its tools, nothing else is admitted.
    if (!known || known.definitions.length === 0 || this.#isListing) return this.#wasListed
    this.#serverInfo = known.serverInfo
    await this.#admit({ definitions: known.definitions, isRecalled: true })
    return true
  }

  status(): UpstreamStatus {
    const admitted = this.#tools
    const { definitions = [], tools = [], withheld = [], unread } = admitted ?? {}
    const { revision, serverInfo, instructions } = this.#about ?? {}
    return {
      name: this.name,
      state: this.#state,
      ...toFaultStatus(this.#fault),
      ...(revision !== undefined && { revision }),
      ...(serverInfo !== undefined && { serverInfo }),
      ...(instructions !== undefined && { instructions }),
      get instructionFlags() {
        return admitted?.flagInstructions(instructions) ?? []
      },
      ...(this.#startedInMs !== undefined && { startedInMs: this.#startedInMs }),
      ...(this.#install && { installing: toInstalling(this.#install) }),
      wasListed: this.#wasListed,
      isRecalled: admitted?.isRecalled ?? false,
      restarts: Math.max(0, this.#restarts),
      definitions,
      admitted: tools,
      withheld,
      ...(unread && { unread }),
      noise: [...this.#noise],
    }
  }

  async measure(): Promise<number | undefined> {
    return this.#client && measureClient(this.#client, this.#times.pingMs)
  }

  async configure(settings: UpstreamSettings): Promise<void> {
    this.#settings = settings
    await this.readmit()
  }

  async readmit(): Promise<void> {
    if (this.#wasListed || this.#tools?.isRecalled) await this.#admit(undefined)
  }

  async close(why = `The server ${this.name} is not used any more.`): Promise<void> {
    this.#closing.abort(new UpstreamFailure('unavailable', why))
    this.#refresher.stop()
    this.#end()
    this.#fault = undefined
    this.#move('stopped')
    const ended = Promise.all([this.#reviving?.catch(() => {}), this.#ending])
    await Promise.race([ended, sleep(closeMs, undefined, { ref: false })])
    // What came up while it was being ended.
    await Promise.race([this.#ending, sleep(closeMs, undefined, { ref: false })])
  }

  /** Sends a call, once the server is there. What was admitted may have been withdrawn while the call waited. */
  readonly #send: SendCall = async (
    tool: Tool,
    input: JsonObject,
    options: UpstreamCallOptions,
  ): Promise<JsonValue> => {
    const client = this.#readyClient() ?? (await this.#need(options))
    const { name } = tool.contract
    if (this.#tools?.find(name)?.tool !== tool)
      throw toWithdrawn(this.#tools?.withheld.some((tool) => tool.name === name) ?? false)
    if (this.#refresher.ageMs > this.#times.maxListMs) this.#refresher.request()
    try {
      const result = await client.callTool(name, input, options)
      this.#hearAlive()
      return result
    } catch (failure) {
      if (this.#closing.signal.aborted) throw this.#closing.signal.reason
      const { kind } = failure as UpstreamFailure
      if (options.signal.aborted || kind === 'unavailable') this.#probe(client)
      // It may have dropped the tool without a word.
      else if (kind === 'refused') this.#refresher.request()
      throw failure
    }
  }

  /** What nearly every call finds: a server that was heard of lately, and of which nobody doubts that it is there. */
  #readyClient(): UpstreamClient | undefined {
    return this.#probing || this.#isSilent() ? undefined : this.#client
  }

  #isSilent(): boolean {
    return performance.now() - this.#heardAt > this.#times.idleMs
  }

  async #need(options: UpstreamCallOptions): Promise<UpstreamClient> {
    if (this.#client && this.#isSilent()) this.#probe(this.#client)
    if (this.#probing) await orAborted(this.#probing, options.signal)
    const waiting = { ...options, status: () => this.status(), maxMs: this.#times.maxCallWaitMs }
    if (!this.#client && !this.#isAway()) await waitForServer(this.#revive(), waiting)
    if (this.#client) return this.#client
    throw this.#state === 'stopped' ? this.#closing.signal.reason : toAbsence(this.#fault, this.#retryAt)
  }

  /** Has it ended for good, or failed so often that nobody should wait for the next try? */
  #isAway(): boolean {
    if (this.#state === 'stopped' || 'fault' in this.#deps.addressed) return true
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
    if (pauseMs > 0) await sleep(pauseMs, undefined, { signal }).catch(() => {})
    await this.#ending
    if (!signal.aborted && 'address' in this.#deps.addressed) await this.#start(this.#deps.addressed.address)
  }

  async #start(address: ServerAddress): Promise<void> {
    this.#move('starting')
    const begin = performance.now()
    const { startupMs = defaultStartupMs, installMs, protocol } = this.#settings
    const { openClient, info } = this.#deps
    const starting = startClient(address, {
      openClient,
      info,
      protocol,
      startupMs,
      ...(installMs !== undefined && { installMs }),
      onInstalling: (install) => this.#follow(install),
      signal: this.#closing.signal,
      onListed: async (client, definitions) => {
        this.#about = client
        this.#serverInfo = client.serverInfo
        await this.#take(definitions)
      },
      onStarted: (client) => this.#become(client, performance.now() - begin),
      onToolsChanged: () => this.#refresher.request(),
      onLost: (client, failure) => client === this.#client && this.#lose(failure),
      onNoise: (text) => this.#hear(text),
    })
    // There is nothing to do until it answers: what its tools and their calls need is loaded meanwhile.
    Promise.all([this.#load(), this.#deps.lock?.()]).catch(() => {})
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

  #load(): Promise<AdmittedTools> {
    this.#loading ??= import('./admitted-tools.ts').then(({ openAdmittedTools }) => {
      const { addressed, others } = this.#deps
      const quote = 'address' in addressed ? createQuote(addressed.address) : String
      this.#tools = openAdmittedTools(this.name, { send: this.#send, quote, others })
      return this.#tools
    })
    return this.#loading
  }

  /** Takes what was just listed. */
  async #take(definitions: readonly JsonObject[]): Promise<void> {
    this.#hearAlive()
    this.#refresher.done()
    this.#isListing = true
    // What is recalled is admitted before, never after, so that it cannot replace what the server has listed.
    await this.#recalling
    await this.#admit({ definitions, isRecalled: false })
    this.#deps.remember?.({ serverInfo: this.#serverInfo, definitions: this.#tools!.unchanged })
  }

  async #admit(listed: Parameters<AdmittedTools['take']>[0]): Promise<void> {
    const { addressed, lock } = this.#deps
    const serverInfo = this.#serverInfo
    const [tools, viewOf] = await Promise.all([this.#load(), lock?.()])
    const isChanged = await tools.take(listed, () => ({
      settings: this.#settings,
      lock: 'address' in addressed ? viewOf?.({ name: this.name, address: addressed.address, serverInfo }) : undefined,
    }))
    const isFirst = !this.#isKnown
    this.#isKnown = true
    this.#wasListed ||= listed?.isRecalled === false
    if (isChanged || isFirst) this.#tell('tools')
  }

  /** After an announced change. What was admitted stays where the list cannot be had. */
  async #listAgain(): Promise<void> {
    const client = this.#client
    if (!client) return
    try {
      const { startupMs = defaultStartupMs } = this.#settings
      const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(startupMs)])
      const definitions = await client.listTools(signal)
      if (client === this.#client) await this.#take(definitions)
    } catch (cause) {
      this.#hear(`Its tools could not be listed again: ${toFailure(cause).message}`)
    }
  }

  /** A server that let a call run out may hang, and nothing that is sent to it would ever be answered. */
  #probe(client: UpstreamClient) {
    if (client !== this.#client || this.#probing) return
    this.#probing = client
      .ping(AbortSignal.timeout(this.#times.pingMs))
      .then(
        () => this.#hearAlive(),
        (failure) => {
          // One that refuses is there.
          if (failure instanceof UpstreamFailure && failure.kind === 'refused') return this.#hearAlive()
          const message = `The server did not answer any more and was ended: ${toFailure(failure).plain}`
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
    this.#hear(`The connection was lost: ${failure.message}`)
    this.#keepRunning()
  }

  /** Lets go of the connection. Calls under way fail with it. */
  #end() {
    const client = this.#client
    this.#client = undefined
    if (client) this.#ending = client.close()
  }

  #fail(cause: unknown, healthyForMs: number) {
    const before = this.#fault
    this.#fault = toServerFailure(cause, this.name)
    this.#retryAt = performance.now() + this.#pauses.next(healthyForMs)
    this.#move('failed')
    // Until it was listed once, all that can be said of its tools is why there are none.
    const isNew = this.#fault.plain !== before?.plain || this.#fault.advice !== before?.advice
    if (!this.#wasListed && isNew) this.#tell('tools')
  }

  #keepRunning() {
    if (this.#deps.keep && this.#pauses.failures <= maxUnasked) this.#revive()
  }

  #move(state: UpstreamState) {
    if (this.#state === state || this.#state === 'stopped') return
    this.#state = state
    this.#tell('state')
  }

  #tell(change: 'tools' | 'state') {
    this.#deps.onChange?.(change)
  }

  #hear(text: string) {
    if (this.#noise.push(text) > maxNoise) this.#noise.shift()
  }
}
