/**
 * One server as a source of tools: its connection, and which of the listed tools are admitted.
 *
 * Tools become known in two ways that race: recalled from the lock or an earlier run, so that they can be listed before the
 * server has started, and listed by the server. The invariant is that a recalled list never replaces a listed one. A call
 * may also wait while the list changes, so the tool is looked up again after the wait: a call never reaches a tool whose
 * contract is not the one that was decided on.
 */
import { isObject, type JsonObject, type JsonValue } from '../contract/json.ts'
import type { Caller, Tool } from '../contract/tool.ts'
import type { AdmittedTools } from './admitted-tools.ts'
import type { UpstreamCallOptions, UpstreamClient, UpstreamFailure } from './connect/client.ts'
import { createQuote } from './connect/quote.ts'
import { toFailure, toWithdrawn } from './faults.ts'
import { sendCall } from './offers/call-offer.ts'
import { ServerResources } from './offers/server-resources.ts'
import type { SendCompletion } from './offers/to-completer.ts'
import { resourcesName, type ServerLists } from './offers/to-definitions.ts'
import { createSamplingTool } from './peer/sampling.ts'
import { Refresher } from './refresher.ts'
import { ServerConnection } from './server-connection.ts'
import type { SendCall } from './to-tool.ts'
import {
  type Upstream,
  type UpstreamDeps,
  type UpstreamSettings,
  type UpstreamStatus,
  upstreamTimes,
} from './upstream.ts'
import { UserConnections } from './user-connections.ts'

/** Node fires timers with a longer delay immediately. */
const maxTimerMs = 2 ** 31 - 1

/** Opens a server without starting it: that is left to `ready` or the first call. */
export function openUpstream(name: string, settings: UpstreamSettings, deps: UpstreamDeps): Upstream {
  return new LiveUpstream(name, settings, deps)
}

class LiveUpstream implements Upstream {
  readonly name: string
  #settings: UpstreamSettings
  readonly #deps: UpstreamDeps
  readonly #connection: ServerConnection
  readonly #users: UserConnections | undefined
  readonly #refresher: Refresher
  readonly #maxListMs: number
  #loading: Promise<AdmittedTools> | undefined
  #tools: AdmittedTools | undefined
  /** From the last connection. */
  #about: Pick<UpstreamClient, 'revision' | 'serverInfo' | 'capabilities' | 'instructions'> | undefined
  /** From the last connection, or recalled. */
  #serverInfo: JsonObject = {}
  #wasListed = false
  /** Its tools were admitted once, whether listed or recalled. */
  #isKnown = false
  #isListing = false
  #recalling: Promise<boolean> | undefined
  readonly #resources: ServerResources
  /** How long the last list may be used, if the server says so. */
  #ttlMs = Number.POSITIVE_INFINITY
  #refreshTimer: NodeJS.Timeout | undefined

  constructor(name: string, settings: UpstreamSettings, deps: UpstreamDeps) {
    this.name = name
    this.#settings = settings
    this.#deps = deps
    const { settleMs, minListMs, maxListMs } = { ...upstreamTimes, ...deps.times }
    this.#maxListMs = maxListMs
    this.#refresher = new Refresher(() => this.#listAgain(), { settleMs, minMs: minListMs })
    const offers = (kind: string) => (this.#about ?? this.#connection).capabilities[kind]
    this.#resources = new ServerResources({
      server: name,
      canWatch: () => isObject(offers('resources')) && (offers('resources') as JsonObject).subscribe === true,
      canComplete: () => offers('completions') !== undefined,
      start: () => this.#connection.ready(),
      follow: (uris) => this.#connection.follow(uris),
    })
    const common = { ...deps, name, settings: () => this.#settings }
    const { authorize } = deps
    this.#users = authorize && new UserConnections({ authorize: authorize.authorizerOf, common })
    this.#connection = new ServerConnection({
      ...common,
      authorizer: authorize?.authorizerOf(authorize.ownerOf()),
      // Loads what admission and calls need while the server starts.
      onStarting: () => Promise.all([this.#load(), deps.lock?.()]).catch(() => {}),
      onListed: async (client, lists) => {
        this.#about = client
        this.#serverInfo = client.serverInfo
        this.#resources.reads.clear()
        await this.#take(lists)
        const { uris } = this.#resources
        if (uris.length === 0) return
        client.subscribe(uris)
        // Changes while it was away were not reported.
        for (const uri of uris) this.#resources.update(uri)
      },
      onResourceUpdated: (uri) => this.#resources.update(uri),
      onListChanged: () => this.#refresher.request(),
      onDoubt: () => this.#listAgain(),
      onState: () => deps.onChange?.('state'),
      // Before the first list, the fault is what there is to report about its tools.
      onNewFault: () => this.#wasListed || deps.onChange?.('tools'),
    })
  }

  async ready(signal?: AbortSignal): Promise<UpstreamStatus> {
    await this.#connection.ready(signal)
    return this.status()
  }

  recall(): Promise<boolean> {
    if (this.#wasListed) return Promise.resolve(true)
    this.#recalling ??= this.#recall().catch(() => false)
    return this.#recalling
  }

  async #recall(): Promise<boolean> {
    const known = await this.#deps.recall?.()
    if (!known || known.definitions.length === 0 || this.#isListing) return this.#wasListed
    this.#serverInfo = known.serverInfo
    await this.#admit({ definitions: known.definitions, isRecalled: true })
    return true
  }

  get ownTools(): readonly Tool[] {
    const { sampling } = this.#settings
    return sampling ? [createSamplingTool(this.name, sampling)] : []
  }

  status(): UpstreamStatus {
    const admitted = this.#tools
    const { definitions = [], tools = [], withheld = [], unread } = admitted ?? {}
    const { revision, serverInfo, instructions } = this.#about ?? {}
    return {
      ...this.#connection.status(),
      ...(this.#deps.confinement && { isolation: this.#deps.confinement.status() }),
      ...(revision !== undefined && { revision }),
      ...(serverInfo !== undefined && { serverInfo }),
      ...(instructions !== undefined && { instructions }),
      get instructionFlags() {
        return admitted?.flagInstructions(instructions) ?? []
      },
      wasListed: this.#wasListed,
      isRecalled: admitted?.isRecalled ?? false,
      definitions,
      admitted: tools,
      withheld,
      ...(this.#resources.isOffered && { resources: this.#resources.counts }),
      ...(Number.isFinite(this.#ttlMs) && { ttlMs: this.#ttlMs }),
      ...(unread && { unread }),
    }
  }

  measure(): Promise<number | undefined> {
    return this.#connection.measure()
  }

  async configure(settings: UpstreamSettings): Promise<void> {
    this.#settings = settings
    await this.readmit()
  }

  async readmit(): Promise<void> {
    if (this.#wasListed || this.#tools?.isRecalled) await this.#admit(undefined)
  }

  async restart(): Promise<UpstreamStatus> {
    await this.#connection.restart()
    return this.status()
  }

  async close(why = `The server ${this.name} is no longer used.`): Promise<void> {
    this.#refresher.stop()
    clearTimeout(this.#refreshTimer)
    await Promise.all([this.#connection.close(why), this.#users?.close(why)])
  }

  readonly #send: SendCall = (tool, call, options) =>
    this.#request(
      tool,
      (client) => sendCall(client, { server: this.name, resources: this.#resources, ...call }, options),
      options,
    )

  readonly #complete: SendCompletion = (tool, params, options) =>
    this.#request(tool, (client) => client.complete(params, options), options)

  #request(tool: Tool, send: (client: UpstreamClient) => Promise<JsonValue>, options: UpstreamCallOptions) {
    const beginning = this.#deps.authorize?.begin(options.caller, options.signal)
    if (!beginning) return this.#requestAs(tool, send, options)
    return beginning.then((end) => this.#requestAs(tool, send, options).finally(end))
  }

  async #requestAs(tool: Tool, send: (client: UpstreamClient) => Promise<JsonValue>, options: UpstreamCallOptions) {
    const connection = this.#connectionOf(options.caller)
    const client = connection.healthyClient ?? (await connection.waitForClient(options))
    const { name } = tool.contract
    if (this.#tools?.find(name)?.tool !== tool)
      throw toWithdrawn(this.#tools?.withheld.some((tool) => tool.name === name) ?? false)
    if (this.#refresher.ageMs > Math.min(this.#maxListMs, this.#ttlMs)) this.#refresher.request()
    try {
      return await connection.call(client, send, options)
    } catch (failure) {
      // The server may have removed the tool without announcing it.
      if (!options.signal.aborted && (failure as UpstreamFailure).kind === 'refused') this.#refresher.request()
      throw failure
    }
  }

  /** Where each caller logs in, nobody uses the connection of another. */
  #connectionOf(caller: Caller | undefined): ServerConnection {
    const { authorize } = this.#deps
    if (!authorize || !this.#users) return this.#connection
    const owner = authorize.ownerOf(caller)
    return owner === authorize.ownerOf() ? this.#connection : this.#users.get(owner)
  }

  #load(): Promise<AdmittedTools> {
    this.#loading ??= import('./admitted-tools.ts').then(({ openAdmittedTools }) => {
      const { addressed, others } = this.#deps
      const quote = 'address' in addressed ? createQuote(addressed.address) : String
      const [resources, complete] = [this.#resources, this.#complete]
      this.#tools = openAdmittedTools(this.name, {
        ...{ complete, resources, quote, others },
        send: this.#send,
        findPage: this.#deps.authorize?.findPage,
        asking: () => this.#settings,
        explain: (since, words) => this.#deps.confinement?.explain(since, words),
      })
      return this.#tools
    })
    return this.#loading
  }

  /** Admits what the server has just listed. */
  async #take({ definitions, resources, templates, ttlMs = Number.POSITIVE_INFINITY }: ServerLists): Promise<void> {
    const hasNewTtl = this.#ttlMs !== ttlMs
    this.#ttlMs = ttlMs
    this.#refreshLater()
    this.#resources.isOffered = definitions.some(({ name }) => name === resourcesName)
    const isChanged = this.#resources.take(resources, templates)
    this.#refresher.done()
    this.#isListing = true
    // A recall that is in flight is admitted first, so that this list replaces it.
    await this.#recalling
    await this.#admit({ definitions, isRecalled: false }, isChanged || hasNewTtl)
    this.#deps.remember?.({ serverInfo: this.#serverInfo, definitions: this.#tools!.unchanged })
  }

  async #admit(listed: Parameters<AdmittedTools['take']>[0], hasNewResources = false): Promise<void> {
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
    // A changed definition may wait for review while the accepted one stays in use.
    this.#deps.onChange?.(isChanged || isFirst || hasNewResources ? 'tools' : 'state')
  }

  /** Lists again when the time of the list is over, unless the server announces changes. */
  #refreshLater() {
    clearTimeout(this.#refreshTimer)
    const { capabilities = {} } = this.#about ?? {}
    const announces = (kind: string) => isObject(capabilities[kind]) && capabilities[kind].listChanged === true
    const isSilent = ['tools', 'prompts', 'resources'].some((kind) => capabilities[kind] !== undefined && !announces(kind)) // biome-ignore format: one line
    if (!isSilent || this.#ttlMs > maxTimerMs) return
    const { minRefreshMs } = { ...upstreamTimes, ...this.#deps.times }
    this.#refreshTimer = setTimeout(() => this.#refresher.request(), Math.max(this.#ttlMs, minRefreshMs)).unref()
  }

  /** If this fails, the tools that were admitted stay. */
  async #listAgain(): Promise<void> {
    try {
      const lists = await this.#connection.list()
      if (lists) await this.#take(lists)
    } catch (cause) {
      this.#connection.addNoise(`Its tools could not be listed again: ${toFailure(cause).message}`)
    }
  }
}
