import type { JsonObject } from '../contract/json.ts'
import type { Tool } from '../contract/tool.ts'
import type { AdmittedList } from './admission/admit-all.ts'
import type { ToolIndex } from './admission/tool-index.ts'
import type { Admitted, LockVerdict, Withheld } from './admission/verdict.ts'
import type { ClientOptions, ServerAddress, UpstreamClient } from './connect/client.ts'
import type { LockRules } from './lock/compare-with-lock.ts'
import type { Drift } from './lock/drift.ts'
import type { PauseTimes } from './restart-pauses.ts'
import type { ServerSettings } from './server-settings.ts'
import type { Flag } from './signals/find-signals.ts'
import type { Addressed } from './to-address.ts'

/** `failed`: it could not be started, or was lost; whoever needs it has it started again. */
export type UpstreamState = 'idle' | 'installing' | 'starting' | 'ready' | 'failed' | 'stopped'

/** One server and the tools that were admitted from it. */
export interface Upstream {
  readonly name: string
  /**
   * Starts it unless it runs, and waits until it is ready or has failed. Where it has just failed and is not to be tried
   * again within moments, it does not wait for that. Never rejects.
   */
  ready(signal?: AbortSignal): Promise<UpstreamStatus>
  /**
   * Admits what is known of its tools from the lock or an earlier start, unless it has listed them itself. Resolves to
   * whether there is a list to show. Starts nothing, and never rejects.
   */
  recall(): Promise<boolean>
  status(): UpstreamStatus
  /** Milliseconds until it answers a ping, the fastest of a few; undefined where it does not run or answer. Never rejects. */
  measure(): Promise<number | undefined>
  /** Applies other settings without a restart, and decides anew about what it lists. Never rejects. */
  configure(settings: UpstreamSettings): Promise<void>
  /** Decides anew about what it lists, because the lock, or what others list, has changed. Never rejects. */
  readmit(): Promise<void>
  /** Ends the server, in bounded time. Never rejects. `why`: what calls in flight and later ones fail with. */
  close(why?: string): Promise<void>
}

export interface UpstreamStatus {
  readonly name: string
  readonly state: UpstreamState
  /** Why it failed, and what to do. */
  readonly fault?: string
  /** The same without the server's own words, as callers may read it. */
  readonly plainFault?: string
  /** What to do, where calling again cannot help. */
  readonly faultAdvice?: string | undefined
  readonly revision?: string
  readonly serverInfo?: JsonObject
  /** What the server says about itself, and what a person should read in it, looked for when it is read. */
  readonly instructions?: string
  readonly instructionFlags: readonly Flag[]
  /** How long it took to connect and to list its tools. */
  readonly startedInMs?: number
  /** What installs it, and for how long by now. */
  readonly installing?: { readonly by: string; readonly forMs: number }
  /** Has it ever said which tools it has? */
  readonly wasListed: boolean
  /** Are its tools those of the lock or of an earlier start, since it has not listed them yet? */
  readonly isRecalled: boolean
  readonly restarts: number
  /** As they came over the wire; what was listed last where it is not connected. */
  readonly definitions: readonly JsonObject[]
  readonly admitted: readonly AdmittedTool[]
  readonly withheld: readonly Omit<Withheld, 'state'>[]
  /** How many further tools were not even read, and why. */
  readonly unread?: AdmittedList['unread']
  /** What it says beside the protocol, the newest last; bounded. */
  readonly noise: readonly string[]
}

/** An ordinary tool: its run calls the server. */
export interface AdmittedTool
  extends Pick<Admitted, 'outputForm' | 'passesText' | 'requiresIsError' | 'completed' | 'flags'> {
  readonly tool: Tool
  readonly locked: boolean
  /** The server lists another definition by now; the accepted one stays in use until a person has reviewed the change. */
  readonly review?: { readonly drift: Drift; readonly changes: readonly string[] }
}

/** What the operator's file says about one server. */
export interface UpstreamSettings extends ServerSettings {
  readonly protocol?: ClientOptions['protocol']
  /** How long connecting and listing may take. Default: 30 s. */
  readonly startupMs?: number
  /** How long a launcher such as `npx` may install it, before that time runs. Default: 10 min. */
  readonly installMs?: number
}

export interface UpstreamDeps {
  /** Where it is; or why that cannot be told, and then it never starts. */
  readonly addressed: Addressed
  readonly openClient: (address: ServerAddress, options: ClientOptions) => Promise<UpstreamClient>
  /** How this host calls itself. */
  readonly info: ClientOptions['info']
  /** Keep it running: start it again when it is lost, although nobody calls it. Default: false. */
  readonly keep?: boolean
  /** Loads what tells what the lock says. It is read at each admission. */
  readonly lock?: () => Promise<(server: ConnectedServer) => LockView | undefined>
  /** What is known of its tools before it has listed them. */
  readonly recall?: () => Promise<ListedTools | undefined>
  /** Keeps what it has listed for the next start. */
  readonly remember?: (listed: ListedTools) => void
  /** What other servers list, as this one sees it. */
  readonly others?: ToolIndex
  /** `tools`: what can be called has changed, or why nothing can. `state`: only whether the server runs. */
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
  /** What becomes of tools that change without being in the lock. Default: as `LockRules` says. */
  readonly drift?: LockRules['drift']
  /** Output schemas that are kept in the lock. They come before those of the settings. */
  readonly overlays?: ServerSettings['overlays']
}

export interface UpstreamTimes {
  readonly pauses: PauseTimes
  /** Whoever needs a server that has failed waits so long for the next try to begin, and else gets an error. */
  readonly patienceMs: number
  /** A call waits this long for a server that starts or is being installed. Three of eight clients give up after 60 s. */
  readonly maxCallWaitMs: number
  /** A server that let a call run out must answer within this, or counts as lost. */
  readonly pingMs: number
  /** One that was silent for so long is asked whether it is there before it is sent a call. */
  readonly idleMs: number
  /** After a change is announced, so long is waited for more of them. */
  readonly settleMs: number
  /** Its tools are listed once in this time at most, however often it announces changes. */
  readonly minListMs: number
  /** A list that is older is asked for again when a call comes: not every server announces changes. */
  readonly maxListMs: number
}

export const upstreamTimes: Omit<UpstreamTimes, 'pauses'> = {
  patienceMs: 3000,
  maxCallWaitMs: 45_000,
  pingMs: 5000,
  idleMs: 300_000,
  settleMs: 100,
  minListMs: 1000,
  maxListMs: 600_000,
}
