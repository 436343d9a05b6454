import type { Capabilities } from '../capabilities/capabilities.ts'
import type { Restored } from '../capabilities/restore.ts'
import type { CallResult } from '../contract/call-result.ts'
import type { Image } from '../contract/image.ts'
import type { JsonObject } from '../contract/json.ts'
import type { Caller, Toolset } from '../contract/tool.ts'
import type { Modes } from '../policy/decide.ts'
import type { Approver } from '../runtime/approval/approver.ts'
import type { Call } from '../runtime/pipeline/call.ts'
import type { CallEvent } from '../runtime/pipeline/call-event.ts'
import type { Catalog } from '../runtime/pipeline/catalog.ts'
import type { StepSettings, Violation } from '../runtime/pipeline/pipeline-options.ts'
import type { Queries } from '../runtime/pipeline/queries.ts'
import type { Query } from '../runtime/pipeline/query.ts'
import type { Rules } from '../runtime/rules/rules.ts'
import type { TokenStore } from '../runtime/storage/operator-state.ts'
import type { Sessions } from '../runtime/storage/sessions.ts'
import type {
  Approvals,
  Evidence,
  Ledger,
  Replies,
  StepRecord,
  Storage,
  StorageHealth,
} from '../runtime/storage/storage.ts'
import type { Config, ConfigSource } from './config/config.ts'
import type { Trust } from './config/trust.ts'
import type { HostedServers } from './host.ts'
import type { LockReviewer } from './lock.ts'

/** What `openToolpact` takes. Everything has a default. */
export interface ToolpactOptions {
  /** The folder that tools work in. Default: what the config says, else the current one. */
  readonly workspace?: string
  /** Names of built-in toolsets, and toolsets of your own. Default: what the config says, else every built-in one. */
  readonly toolsets?: readonly (string | Toolset<Capabilities>)[]
  /** Folders of contract files and handlers, each a toolset, beside those of the config. Code in them is run: let no caller choose. */
  readonly contracts?: readonly string[]
  /** A path to a `toolpact.json`, or its content. It is trusted. */
  readonly config?: string | ConfigSource
  /**
   * Use the `toolpact.json` in the workspace if there is no `config`, as the command does. Until its content is trusted
   * (`toolpact trust`) it can only make things stricter.
   */
  readonly discover?: boolean
  /**
   * Where state is stored. `sqlite`, the default: in the state directory. `memory`: the ledger, counters, approvals and, unless
   * `stateDirectory` is given, rules end with the process. A `Storage` of your own holds everything, and is closed with this.
   */
  readonly storage?: 'sqlite' | 'memory' | Storage
  readonly stateDirectory?: string
  /**
   * `read`: a state of an older version is read as it is and not migrated, and one on a read-only disk is read all the same;
   * calls are then refused. Default: `write`.
   */
  readonly access?: 'read' | 'write'
  /** Receives a line for the operator when calls can no longer be recorded, with what to do, and when they can again. */
  readonly onStorage?: (message: string) => void
  /**
   * When the MCP servers of the config start: at once, when `upstreams.begin()` is called (`held`), or with the first
   * call or list that needs them. Default: lazy.
   */
  readonly start?: 'eager' | 'held' | 'lazy'
  /**
   * Apply changes of the config file while this is open, within a second. Receives a line for the operator about each:
   * what was applied, what needs a restart, and why a config was not used.
   */
  readonly watch?: (message: string) => void
  /** Settings of toolsets by name, over those of the config: `{ 'transcript-clean': { rulesOnly: true } }`. */
  readonly settings?: { readonly [toolset: string]: JsonObject }
  /** Use the settings with which toolsets give the same result every time (`testSettings`). `settings` override them. */
  readonly repeatable?: boolean
  /**
   * Once calls have read private data or taken in text that others wrote, ask before data goes to a receiver that is not
   * allowed yet. Calls of one `session`, or all of one `caller`, are taken together. The config's `policy.dataFlow`
   * overrides whether it asks. Default: it does not.
   */
  readonly dataFlow?: 'session' | 'caller'
  /** Tightens the config's policy. */
  readonly policy?: Modes & Pick<StepSettings, 'singleStep'>
  /** Who is asked. Without one, a call that asks is refused. */
  readonly approver?: Approver
  /** Told how a tool broke its contract, with the raw evidence that callers never get. */
  readonly onViolation?: (violation: Violation) => void
  /**
   * Receives an event for each check of a call that begins, passes or fails, and for its end: for telemetry. It is called
   * synchronously and must return quickly; what it throws is ignored.
   */
  readonly observe?: (event: CallEvent) => void
}

/** Tools by name, as `toolpact export types` writes them. */
export type ToolTypes<Name extends string = string> = {
  readonly [name in Name]: { readonly input: unknown; readonly output: unknown }
}

/** An opened Toolpact: its tools, what is known of their calls, and who may make them. Close it when you are done. */
export interface Toolpact<Tools extends ToolTypes<keyof Tools & string> = AnyTools> {
  /** Calls a tool through the pipeline. Never rejects. */
  call<Name extends keyof Tools & string>(
    tool: Name,
    input: Tools[Name]['input'],
    options?: CallOptions,
  ): Promise<CallResult<Tools[Name]['output']>>
  /** Begins a query: one question of a user, which may make one call. A second one ends with `single_step`. */
  query(): OpenQuery
  /** The queries that callers of surfaces name by an id of their own. */
  readonly queries: Queries
  readonly catalog: Catalog<Capabilities>
  readonly ledger: Ledger
  readonly rules: Rules
  /** Which configs in workspaces the operator trusts. */
  readonly trust: Trust
  /** What was accepted of the tools of MCP servers. */
  readonly lock: LockReviewer
  /** The MCP servers whose tools are here. */
  readonly upstreams: HostedServers
  /** The config as it holds now: checked, and frozen. */
  readonly config: Config
  /** Real path of the folder that tools work in. */
  readonly workspace: string
  /** What the operator should know about how it was opened, such as settings that have no effect. */
  readonly notices: readonly string[]
  /** Tokens of HTTP callers. */
  readonly tokens: TokenStore
  /** Calls that wait for somebody to answer, in any process that shares the storage. */
  readonly approvals: Approvals
  /** What calls that carried a key were answered. */
  readonly replies: Replies
  /** What tools said that broke their contracts. For people, never for a model. */
  readonly evidence: Pick<Evidence, 'get'>
  /** Keeps a stage of a run of the agent in the ledger, without secrets. */
  recordStep(step: Omit<StepRecord, 'kind' | 'at'>): Promise<void>
  /** Whether calls can be recorded. */
  health(): Promise<StorageHealth>
  /** Sessions of people with the agent. */
  readonly sessions: Sessions
  /** Tells that a session continues which has seen the output of these tools, by their ids. */
  continueSession(caller: Caller, tools: readonly string[]): Promise<void>
  /** Puts files back as they were before calls wrote them: a person's wish, and no call. */
  restore(images: readonly Image[]): Promise<Restored[]>
  /** Waits for what is under way and lets go of the storage. */
  close(): Promise<void>
}

/** Where nobody says which tools there are. */
export interface AnyTools {
  readonly [name: string]: { readonly input: unknown; readonly output: JsonObject }
}

/** What a program may say about one call. */
export interface CallOptions extends Omit<Call, 'tool' | 'input' | 'caller' | 'inspect'> {
  /** Default: `{ name: 'library' }`. */
  readonly caller?: Caller
}

/** A query that may make one call, by `call` or wherever a query is taken. */
export interface OpenQuery extends Query {
  call(tool: string, input: unknown, options?: Omit<CallOptions, 'query'>): Promise<CallResult>
}
