import { dirname, resolve } from 'node:path'
import type { Change } from '../contract/diff/change.ts'
import type { JsonObject, JsonSchema } from '../contract/json.ts'
import { lazily } from '../contract/lazily.ts'
import { instructionsName } from '../contract/offer.ts'
import type { LockRules } from '../host/lock/compare-with-lock.ts'
import type { IdentityChange } from '../host/lock/diff-identities.ts'
import type { Drift } from '../host/lock/drift.ts'
import type { Lock, LockDemand, LockedPolicy } from '../host/lock/lock.ts'
import type { LockedEntry } from '../host/lock/to-lockable.ts'
import type { ConnectedServer, ListedTools, LockView, UpstreamStatus } from '../host/upstream.ts'
import type { LockStore } from '../runtime/storage/operator-state.ts'
import { watchFiles } from '../state/watch-files.ts'
import type { Settings } from './settings.ts'
import type { ToolpactOptions } from './toolpact.ts'

/** The accepted tools of servers, and how they compare with the current ones. */
export interface LockReviewer {
  /** The path of `toolpact.lock`, which may not exist yet. */
  readonly path: string
  /** The lock that contains this server. Servers of every folder have one in the state directory. */
  pathOf(server: string): Promise<string>
  /** Compares every server with the lock, or with another one. Rejects with a StateError if the lock cannot be used. */
  review(other?: Lock): Promise<LockReview>
  /** The same for servers as they are now: starts none, and waits for none. */
  reviewRunning(): Promise<LockReview>
  /** Adds new tools to the lock. Accepted tools that have changed stay as they were accepted. */
  add(by: string): Promise<LockReview>
  /** Accepts what was shown, unless it has changed in the meantime. */
  accept(shown: ShownChange, by: string): Promise<'accepted' | 'changed'>
  /** Attaches an output schema to a tool, and accepts the tool as it is now. */
  attach(overlay: AttachedOverlay, by: string): Promise<void>
}

/** How servers compare with the lock. */
export interface LockReview {
  readonly path: string
  /** The paths of the locks of these servers. */
  readonly paths: readonly string[]
  /** Whether a lock exists. */
  readonly isThere: boolean
  readonly servers: readonly ServerReview[]
}

/** How one server compares with the lock. */
export interface ServerReview {
  readonly name: string
  /** `unreachable`: could not be compared. `unused`: not selected. `left`: in the lock, but not in the config. */
  readonly state: 'compared' | 'unreachable' | 'unused' | 'left'
  /** Why it is unreachable. */
  readonly fault?: string
  readonly identity: readonly IdentityChange[]
  readonly tools: readonly ToolReview[]
  /** Identifies everything that would be accepted with the server; absent if there is nothing to accept. */
  readonly digest?: string
  /** How to make the lock stronger. */
  readonly advice?: string
}

/** How one tool compares with the lock. */
export interface ToolReview {
  readonly name: string
  /**
   * `kept`: it changed harmlessly, and the accepted definition stays in use. `differs`: withheld until accepted.
   * `refused`: not in the lock, and withheld for other reasons too.
   */
  readonly state: 'same' | 'kept' | 'differs' | 'new' | 'gone' | 'refused'
  /** The kind of change since it was accepted. */
  readonly drift?: Drift
  /** The defaults that could be accepted as varying, if nothing else changed. */
  readonly varying?: readonly string[]
  readonly changes: readonly Change[]
  /** Identifies what would be accepted with the tool; absent if there is nothing to accept. */
  readonly digest?: string
  /** As it is now. */
  readonly definition?: JsonObject
  /** As it was accepted, if it was. */
  readonly accepted?: JsonObject
  readonly policy?: LockedPolicy
  /** Passages that a person should review before accepting it. */
  readonly flags: readonly string[]
  /** Why it could not be used even if accepted. */
  readonly refusals: readonly string[]
}

/** New instructions of a server. They wait for a person, but nothing else does. */
export function isUnread({ name, state }: Pick<ToolReview, 'name' | 'state'>): boolean {
  return name === instructionsName && state === 'new'
}

/** The change that a person was shown and accepts. */
export interface ShownChange {
  readonly server: string
  /** Absent: the server, with all of its tools. */
  readonly tool?: string
  /** Absent: the tool stays as accepted, and only `varying` changes. */
  readonly digest?: string
  /** JSON pointers to defaults of the tool that may differ from start to start. */
  readonly varying?: readonly string[]
}

interface AttachedOverlay {
  readonly server: string
  readonly tool: string
  readonly output: JsonSchema
}

interface LockConfig {
  readonly demand?: LockDemand | undefined
  readonly drift?: LockRules['drift']
  /** Whether servers are confined, unless their entry says. */
  readonly isolation?: LockedEntry['isolation'] | undefined
  /** The servers of the config, before variables are expanded. */
  readonly servers: { readonly [name: string]: LockedEntry }
  /** The servers of every folder. One is in use here if `servers` has the same object. */
  readonly everywhere?: { readonly [name: string]: object } | undefined
  /** The path of an untrusted config, whose servers are not used. */
  readonly untrusted?: string | undefined
}

export interface LockOptions {
  readonly path: string
  /** The state directory, for the file that serializes changes of the folder's lock. Not every program needs one. */
  readonly directory: () => string
  /** The lock of the servers that are configured for every folder. */
  readonly everywhere: LockStore
  /** The current config. */
  readonly config: () => LockConfig
  /** The statuses of the servers in use, once each is ready or has failed. */
  readonly statuses: () => Promise<readonly UpstreamStatus[]>
  /** Their statuses now. */
  readonly look: () => readonly UpstreamStatus[]
}

/** The lock, as needed to connect to servers. */
export interface HostLock extends LockReviewer {
  /** Called after any process has changed the lock. Returns a function that unsubscribes. */
  watch(onChange: () => unknown): () => void
  /** The accepted tools of a server; undefined if there are none, or the server's identity has changed. */
  recall(server: string): Promise<ListedTools | undefined>
  /** Resolves to the view of the lock per server. If the lock cannot be used, every tool counts as different. */
  views(): Promise<(server: Pick<ConnectedServer, 'name' | 'serverInfo'>) => LockView>
}

/** The implementation is loaded with the first use. */
export function openLock(options: LockOptions): HostLock {
  const reviewer = lazily(async () => (await import('./lock-reviewer.ts')).openLockReviewer(options))
  return {
    path: options.path,
    watch: (onChange) => watchLocks(options, onChange),
    pathOf: async (server) => (await reviewer()).pathOf(server),
    review: async (other) => (await reviewer()).review(other),
    reviewRunning: async () => (await reviewer()).reviewRunning(),
    add: async (by) => (await reviewer()).add(by),
    accept: async (shown, by) => (await reviewer()).accept(shown, by),
    attach: async (overlay, by) => (await reviewer()).attach(overlay, by),
    recall: async (server) => (await reviewer()).recall(server),
    views: async () => (await reviewer()).views(),
  }
}

export function watchLocks({ path, everywhere }: LockOptions, onChange: () => unknown): () => void {
  const stops = [watchFiles([path], onChange), everywhere.watch(onChange)]
  return () => {
    for (const stop of stops) stop()
  }
}

/** Next to the config file, or in the workspace if the config is not a file. */
export function toLockPath({ config }: ToolpactOptions, source: string | undefined, workspace: string): string {
  return resolve(typeof config === 'object' || source === undefined ? workspace : dirname(source), 'toolpact.lock')
}

/** What the lock needs to know of the config. */
export function toLockConfig({ config, opened }: Settings) {
  return {
    servers: config.mcpServers ?? {},
    everywhere: opened?.everywhere?.mcpServers,
    demand: config.lock,
    isolation: config.isolation,
    drift: config.drift,
    untrusted: opened?.isPart ? opened.source : undefined,
  }
}
