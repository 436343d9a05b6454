import type { Change } from '../contract/diff/change.ts'
import type { JsonObject, JsonSchema } from '../contract/json.ts'
import { lazily } from '../contract/lazily.ts'
import type { LockRules } from '../host/lock/compare-with-lock.ts'
import type { IdentityChange } from '../host/lock/diff-identities.ts'
import type { Drift } from '../host/lock/drift.ts'
import type { Lock, LockDemand, LockedPolicy } from '../host/lock/lock.ts'
import type { LockedEntry } from '../host/lock/to-lockable.ts'
import type { ConnectedServer, ListedTools, LockView, UpstreamStatus } from '../host/upstream.ts'
import type { LockStore } from '../runtime/storage/operator-state.ts'
import { watchFiles } from '../state/watch-files.ts'

/** What was accepted of the tools of servers, and how that compares with what they are now. */
export interface LockReviewer {
  /** Where `toolpact.lock` is, or would be made. */
  readonly path: string
  /** The lock that has this server: servers of every folder have one in the state directory. */
  pathOf(server: string): Promise<string>
  /** Compares every server with the lock, or with another one. Rejects with a StateError if the lock cannot be used. */
  review(other?: Lock): Promise<LockReview>
  /** Puts what is new into the lock. What differs from it stays as it was accepted. */
  add(by: string): Promise<LockReview>
  /** Accepts what was shown. Nothing is accepted where it has changed meanwhile. */
  accept(shown: ShownChange, by: string): Promise<'accepted' | 'changed'>
  /** Attaches an output schema to a tool, which is accepted as it is now. */
  attach(overlay: AttachedOverlay, by: string): Promise<void>
}

interface LockReview {
  readonly path: string
  /** The locks of these servers. */
  readonly paths: readonly string[]
  /** False where there is no lock yet. */
  readonly isThere: boolean
  readonly servers: readonly ServerReview[]
}

export interface ServerReview {
  readonly name: string
  /** `unreachable`: nobody can say how it compares. `unused`: nobody asks. `left`: it is in the lock and not in the config. */
  readonly state: 'compared' | 'unreachable' | 'unused' | 'left'
  /** Why it is unreachable. */
  readonly fault?: string
  readonly identity: readonly IdentityChange[]
  readonly tools: readonly ToolReview[]
  /** Stands for all that would be accepted with the server; absent where nothing would. */
  readonly digest?: string
  /** What would make the lock hold more. */
  readonly advice?: string
}

export interface ToolReview {
  readonly name: string
  /**
   * `kept`: it changed harmlessly, and the accepted definition stays in use. `differs`: withheld until accepted.
   * `refused`: withheld for more than the lock, and not in it.
   */
  readonly state: 'same' | 'kept' | 'differs' | 'new' | 'gone' | 'refused'
  /** How it differs from what was accepted. */
  readonly drift?: Drift
  /** The defaults that could be accepted as varying, where nothing else changed. */
  readonly varying?: readonly string[]
  readonly changes: readonly Change[]
  /** Stands for what would be accepted with the tool; absent where nothing would. */
  readonly digest?: string
  /** As it is now. */
  readonly definition?: JsonObject
  readonly policy?: LockedPolicy
  /** What a person should read before accepting it. */
  readonly flags: readonly string[]
  /** Why it could not be used even if it were accepted. */
  readonly refusals: readonly string[]
}

export interface ShownChange {
  readonly server: string
  /** Absent: the server, with all of its tools. */
  readonly tool?: string
  /** Absent: the tool as it was accepted before, of which only `varying` changes. */
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
  /** The servers of the config, before variables are filled in. */
  readonly servers: { readonly [name: string]: LockedEntry }
  /** The servers of every folder. One is in use here if `servers` has the same object. */
  readonly everywhere?: { readonly [name: string]: object } | undefined
  /** A config whose servers wait for trust: nothing can be said of them. */
  readonly untrusted?: string | undefined
}

export interface LockOptions {
  readonly path: string
  /** The state directory, for the file that serializes changes of the folder's lock. Not every program needs one. */
  readonly directory: () => string
  /** The lock of the servers that are configured for every folder. */
  readonly everywhere: LockStore
  /** What the config says now. */
  readonly config: () => LockConfig
  /** Every server that is used as it is, once each is ready or has failed. */
  readonly statuses: () => Promise<readonly UpstreamStatus[]>
}

/** The lock as whoever connects to servers needs it. */
export interface HostLock extends LockReviewer {
  /** Calls `onChange` after a process changed what is accepted. Returns what stops it. */
  watch(onChange: () => unknown): () => void
  /** What was accepted of a server that is still the same; undefined where nothing was, or it is another one. */
  recall(server: string): Promise<ListedTools | undefined>
  /** Gives what tells how the tools of a server compare. Where the lock cannot be used, none of them does. */
  views(): Promise<(server: Pick<ConnectedServer, 'name' | 'serverInfo'>) => LockView>
}

/** What does the work is loaded with the first use. */
export function openLock(options: LockOptions): HostLock {
  const reviewer = lazily(async () => (await import('./lock-reviewer.ts')).openLockReviewer(options))
  return {
    path: options.path,
    watch: (onChange) => watchLocks(options, onChange),
    pathOf: async (server) => (await reviewer()).pathOf(server),
    review: async (other) => (await reviewer()).review(other),
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
