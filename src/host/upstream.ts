import type { JsonObject } from '../contract/json.ts'
import type { Caller, Tool } from '../contract/tool.ts'
import type { AdmittedList } from './admission/admit-all.ts'
import type { ToolIndex } from './admission/tool-index.ts'
import type { Admitted, LockVerdict, Withheld } from './admission/verdict.ts'
import type { Authorizer, ClientOptions, OperatorLogs, ServerAddress, UpstreamClient } from './connect/client.ts'
import type { Confinement, IsolationStatus } from './connect/confinement.ts'
import type { LockRules } from './lock/compare-with-lock.ts'
import type { Drift } from './lock/drift.ts'
import type { PauseTimes } from './restart-pauses.ts'
import type { ServerSettings } from './server-settings.ts'
import type { Flag } from './signals/find-signals.ts'
import type { Addressed } from './to-address.ts'

/** `failed`: it could not be started, or was lost. The next call restarts it. */
export type UpstreamState = 'idle' | 'installing' | 'starting' | 'ready' | 'failed' | 'stopped'

/** One server and its admitted tools. */
export interface Upstream {
  readonly name: string
  /**
   * Starts it unless it runs, and waits until it is ready or has failed. Does not wait for a retry that is more than
   * `patienceMs` away. Never rejects.
   */
  ready(signal?: AbortSignal): Promise<UpstreamStatus>
  /**
   * Admits its tools as known from the lock or an earlier run, unless it has listed them itself. Resolves to whether there
   * is a list to show. Starts nothing, and never rejects.
   */
  recall(): Promise<boolean>
  status(): UpstreamStatus
  /** What this host offers to the server as calls: asking a model. */
  readonly ownTools: readonly Tool[]
  /** The shortest round trip of a few pings, in milliseconds; undefined if it does not run or answer. Never rejects. */
  measure(): Promise<number | undefined>
  /** Applies new settings without a restart, and runs admission again. Never rejects. */
  configure(settings: UpstreamSettings): Promise<void>
  /** Runs admission again, after the lock or the tools of other servers have changed. Never rejects. */
  readmit(): Promise<void>
  /** Ends it and starts it again, at once. Resolves like `ready`. */
  restart(): Promise<UpstreamStatus>
  /** Stops the server, in bounded time. Never rejects. `why`: the message of calls in flight and later ones. */
  close(why?: string): Promise<void>
}

/** The state of an MCP server and of its tools. */
export interface UpstreamStatus {
  readonly name: string
  readonly state: UpstreamState
  /** Why it failed, and what to do. */
  readonly fault?: string
  /** The same without text from the server, for callers. */
  readonly plainFault?: string
  /** What to do if retrying cannot help. */
  readonly faultAdvice?: string | undefined
  readonly revision?: string
  readonly serverInfo?: JsonObject
  /** The server's own instructions. */
  readonly instructions?: string
  /** Passages of the instructions that a person should review. A getter: searched when read. */
  readonly instructionFlags: readonly Flag[]
  /** The time it took to connect and to list the tools. */
  readonly startedInMs?: number
  /** The launcher that is installing it, and for how long so far. */
  readonly installing?: { readonly by: string; readonly forMs: number }
  /** Whether it has listed its tools since the host started. */
  readonly wasListed: boolean
  /** Whether the tools come from the lock or an earlier run, because it has not listed them yet. */
  readonly isRecalled: boolean
  readonly restarts: number
  /** As received; the last list if it is not connected. */
  readonly definitions: readonly JsonObject[]
  readonly admitted: readonly AdmittedTool[]
  readonly withheld: readonly Omit<Withheld, 'state'>[]
  /** What it lists beside tools and prompts, if it offers resources. */
  readonly resources?: { readonly listed: number; readonly templates: number }
  /** How long the lists may be used, if the server says so. */
  readonly ttlMs?: number
  /** How many more tools were not read, and why. */
  readonly unread?: AdmittedList['unread']
  /** Whether it is confined; absent for a server that is reached by its url. */
  readonly isolation?: IsolationStatus
  /** Output outside the protocol, newest last; limited. */
  readonly noise: readonly string[]
}

/** An ordinary tool whose `run` calls the server. */
export interface AdmittedTool
  extends Pick<Admitted, 'outputForm' | 'passesText' | 'requiresIsError' | 'completed' | 'flags' | 'app'> {
  readonly tool: Tool
  readonly locked: boolean
  /** The server now lists a different definition. The accepted one stays in use until a person has reviewed the change. */
  readonly review?: { readonly drift: Drift; readonly changes: readonly string[] }
}

/** Config settings of one server. */
export interface UpstreamSettings extends ServerSettings {
  readonly protocol?: ClientOptions['protocol']
  /** Timeout for connecting and listing. Default: 30 s. */
  readonly startupMs?: number
  /** Timeout for a launcher such as `npx` to install it; `startupMs` counts from then. Default: 10 min. */
  readonly installMs?: number
}

/** Credentials for a server that requires a login. */
export interface Authorize {
  /** Who owns the credential that a caller uses; without a caller, the operator. */
  ownerOf(caller?: Caller): string
  authorizerOf(owner: string): Authorizer
  /** Called before each call. Resolves to what to do when it has ended. Rejects with an `UpstreamFailure`. */
  begin(caller: Caller | undefined, signal: AbortSignal): Promise<() => void> | undefined
  /** Where a caller connects; undefined if there is no such page. `scope`: what the connection lacks. */
  findPage(caller: Caller | undefined, scope: string | undefined): Promise<ConnectPage | undefined>
}

/** The page where a caller connects to a server. */
export interface ConnectPage {
  readonly url: string
  /** Resolves to true once the caller has connected, and to false if that takes too long. */
  done(signal: AbortSignal): Promise<boolean>
}

export interface UpstreamDeps {
  /** The address, or why there is none, in which case it never starts. */
  readonly addressed: Addressed
  /** Credentials of callers, for a server that requires a login. */
  readonly authorize?: Authorize | undefined
  readonly openClient: (address: ServerAddress, options: ClientOptions) => Promise<UpstreamClient>
  /** Confines its process. */
  readonly confinement?: Confinement | undefined
  /** Real path of the workspace, for servers that may ask for it. */
  readonly workspace?: string | undefined
  /** Name and version of this host. */
  readonly info: ClientOptions['info']
  /** Restart it after a loss without waiting for a call. Default: false. */
  readonly keep?: boolean
  /** Loads the view of the lock, which is queried at each admission. */
  readonly lock?: () => Promise<(server: ConnectedServer) => LockView | undefined>
  /** Its tools as known before it has listed them. */
  readonly recall?: () => Promise<ListedTools | undefined>
  /** Stores the list for the next run. */
  readonly remember?: (listed: ListedTools) => void
  /** What the operator wants to see of its log messages. Read at each start. */
  readonly logs?: ((server: string) => OperatorLogs | undefined) | undefined
  /** Tools of other servers. */
  readonly others?: ToolIndex
  /** `tools`: the callable tools have changed, or the reason why there are none. `state`: only the state has. */
  readonly onChange?: (change: 'tools' | 'state') => void
  readonly times?: Partial<UpstreamTimes>
}

export interface ListedTools {
  readonly serverInfo: JsonObject
  readonly definitions: readonly JsonObject[]
}

export interface ConnectedServer {
  readonly name: string
  readonly address: ServerAddress
  readonly serverInfo: JsonObject
}

export interface LockView {
  readonly lockOf: (name: string, definition: unknown) => LockVerdict | undefined
  /** How to treat changed tools that are not in the lock. Default: see `LockRules`. */
  readonly drift?: LockRules['drift']
  /** Output schemas from the lock. They override those of the settings. */
  readonly overlays?: ServerSettings['overlays']
}

export interface UpstreamTimes {
  readonly pauses: PauseTimes
  /** A caller of a failed server waits if the next retry is at most this far off, and otherwise gets an error. */
  readonly patienceMs: number
  /** How long a call waits for a server that is starting or being installed. Three of eight clients time out after 60 s. */
  readonly maxCallWaitMs: number
  /** After a call timed out, the server must answer a ping within this time, or counts as lost. */
  readonly pingMs: number
  /** A server that was silent for longer is pinged before the next call. */
  readonly idleMs: number
  /** Debounce: wait this long after `list_changed`. */
  readonly settleMs: number
  /** Minimum time between two lists, however often changes are announced. */
  readonly minListMs: number
  /** Minimum time between lists that are refreshed because the server limits their time. */
  readonly minRefreshMs: number
  /** A call refreshes a list that is older: not every server announces changes. */
  readonly maxListMs: number
}

export const upstreamTimes: Omit<UpstreamTimes, 'pauses'> = {
  patienceMs: 3000,
  maxCallWaitMs: 45_000,
  pingMs: 5000,
  idleMs: 300_000,
  settleMs: 100,
  minListMs: 1000,
  minRefreshMs: 30_000,
  maxListMs: 600_000,
}
