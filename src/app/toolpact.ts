import type { Capabilities } from '../capabilities/capabilities.ts'
import type { Restored } from '../capabilities/restore.ts'
import type { CallResult } from '../contract/call-result.ts'
import type { Image } from '../contract/image.ts'
import type { JsonObject } from '../contract/json.ts'
import type { Caller, Toolset } from '../contract/tool.ts'
import type { Modes } from '../policy/decide.ts'
import type { Approver } from '../runtime/approval/approver.ts'
import type { ConsoleAddress } from '../runtime/approval/console-address.ts'
import type { ForeseenCall } from '../runtime/approval/foresee-call.ts'
import type { Call } from '../runtime/pipeline/call.ts'
import type { CallEvent } from '../runtime/pipeline/call-event.ts'
import type { Catalog } from '../runtime/pipeline/catalog.ts'
import type { StepSettings, Violation } from '../runtime/pipeline/pipeline-options.ts'
import type { Queries, Query } from '../runtime/pipeline/queries.ts'
import type { Rules } from '../runtime/rules/rules.ts'
import type { Sessions } from '../runtime/storage/sessions.ts'
import type { SignIns } from '../runtime/storage/sign-ins.ts'
import type {
  Approvals,
  Evidence,
  Ledger,
  Notes,
  Replies,
  StepRecord,
  Storage,
  StorageHealth,
} from '../runtime/storage/storage.ts'
import type { Tasks } from '../runtime/storage/tasks.ts'
import type { TokenStore } from '../runtime/storage/tokens.ts'
import type { WorkflowRuns } from '../workflow/run/workflow-runs.ts'
import type { Config, ConfigSource } from './config/config.ts'
import type { Trust } from './config/trust.ts'
import type { OpenIdSignIn } from './connections/open-sign-in.ts'
import type { ServerLogins } from './connections/server-logins.ts'
import type { HostedServers } from './host.ts'
import type { LockReviewer } from './lock.ts'
import type { LedgerProof } from './proof/ledger-proof.ts'
import type { WorkflowFile } from './workflow-files.ts'

/** Options of `openToolpact`. All are optional. */
export interface ToolpactOptions {
  /** The folder that tools work in. Default: as in the config, else the current folder. */
  readonly workspace?: string
  /** Names of built-in toolsets, and your own toolsets. Default: as in the config, else every built-in toolset. */
  readonly toolsets?: readonly (string | Toolset<Capabilities>)[]
  /**
   * What is offered if neither `toolsets` nor the config names toolsets. `all`: every built-in toolset, contract folder and MCP
   * server. `chosen`, as `toolpact serve` does: contract folders, MCP servers and built-in toolsets that have settings; if there
   * are none, `workspace`. Default: `all`.
   */
  readonly offer?: 'all' | 'chosen'
  /** Folders of contract files and handlers, each a toolset, in addition to those of the config. Their code is run: never let callers choose them. */
  readonly contracts?: readonly string[]
  /** The path of a `toolpact.json`, or its content. It is trusted. */
  readonly config?: string | ConfigSource
  /** The tenant to open, if the config has `tenants`; otherwise the tenant in Postgres, over `storage.tenant`. */
  readonly tenant?: string
  /**
   * Use the `toolpact.json` in the workspace if there is no `config`, as the command does. Until its content is trusted
   * (`toolpact trust`), it can only tighten settings.
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
  /**
   * `due`, for processes that end after a call: closing leaves sealing to the next process, unless the last checkpoint is over
   * a minute old or `ledger.checkpoints` sends them elsewhere. Default: `open`, which seals every few seconds and when closed.
   */
  readonly seal?: 'open' | 'due'
  /** Receives a line for the operator when calls can no longer be recorded, with what to do, and when they can again. */
  readonly onStorage?: (message: string) => void
  /**
   * When the MCP servers of the config start: at once, when `upstreams.begin()` is called (`held`), or with the first
   * call or list that needs them. With `never` they do not start: lists contain the tools that are known from the lock or
   * an earlier run. Default: lazy.
   */
  readonly start?: 'eager' | 'held' | 'lazy' | 'never'
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
   * After calls have read private data or untrusted text, ask before data is sent to a recipient that is not allowed yet.
   * Tracked per `session`, or per `caller`. `policy.dataFlow` in the config overrides whether to ask. Default: do not ask.
   */
  readonly dataFlow?: 'session' | 'caller'
  /** Other processes serve the same callers: which query has made its call is kept in the storage. Default: false. */
  readonly sharesCallers?: boolean
  /** Tightens the config's policy. */
  readonly policy?: Modes & Pick<StepSettings, 'singleStep'>
  /** Who is asked. Without one, a call that asks is refused. */
  readonly approver?: Approver
  /**
   * The person who makes the calls, if they do so themselves. Like the caller, they may not answer questions about them where
   * `approvers` in the config forbids that.
   */
  readonly person?: string
  /** Called when a tool violates its contract, with the raw evidence, which callers never get. */
  readonly onViolation?: (violation: Violation) => void
  /**
   * For telemetry: receives an event when a check of a call begins, passes or fails, and when the call ends. Called
   * synchronously, so it must return quickly. Exceptions are ignored.
   */
  readonly observe?: (event: CallEvent) => void
  /** Where traces, metrics and logs of calls go. Default: as in the config, else nowhere. */
  readonly telemetry?: TelemetryOptions
}

/** Where traces, metrics and logs of calls go. */
export interface TelemetryOptions {
  /**
   * `api`: the OpenTelemetry SDK that the program has registered, through the package `@opentelemetry/api`. `otlp`: a collector,
   * as the `OTEL_` variables and the config specify. `none`: nowhere. Default: `otlp` if the config names a collector.
   */
  readonly via?: 'api' | 'otlp' | 'none'
  /** Receives a line of JSON for each call that ends. */
  readonly log?: (line: string) => void
  /** Receives a line for the operator when a collector fails, and when it works again. */
  readonly report?: (message: string) => void
}

/** The types of tools by name, as generated by `toolpact export types`. */
export type ToolTypes<Name extends string = string> = {
  readonly [name in Name]: { readonly input: unknown; readonly output: unknown }
}

/** An open Toolpact instance. Close it when you are done. */
export interface Toolpact<Tools extends ToolTypes<keyof Tools & string> = AnyTools> {
  /** Calls a tool through the pipeline. Never rejects. */
  call<Name extends keyof Tools & string>(
    tool: Name,
    input: Tools[Name]['input'],
    options?: CallOptions,
  ): Promise<CallResult<Tools[Name]['output']>>
  /**
   * Dry run: what would happen to a call, with a preview of what it would change. Nothing runs, asks, counts or is recorded.
   * Rejects if there is no such tool.
   */
  foresee(tool: string, input: unknown, options?: Pick<CallOptions, 'caller'>): Promise<ForeseenCall>
  /** Begins a query: one question of a user, which may make one call. A second call fails with `single_step`. */
  query(): OpenQuery
  /** Queries that callers of surfaces identify by their own ids. */
  readonly queries: Queries
  readonly catalog: Catalog<Capabilities>
  readonly ledger: Ledger
  /** Proofs of the ledger; undefined if the storage has none, such as a state of an older version that is only read. */
  readonly proof: LedgerProof | undefined
  readonly rules: Rules
  /** The workspace configs that the operator trusts. */
  readonly trust: Trust
  /** The accepted tools of MCP servers. */
  readonly lock: LockReviewer
  /** The connected MCP servers. */
  readonly upstreams: HostedServers
  /** The current config: validated and frozen. */
  readonly config: Config
  /** The real path of the folder that tools work in. */
  readonly workspace: string
  /** Notices for the operator, such as settings that have no effect. */
  readonly notices: readonly string[]
  /** Tokens of HTTP callers. */
  readonly tokens: TokenStore
  /** Calls waiting for approval, in any process that shares the storage. */
  readonly approvals: Approvals
  /** Where people find the console of a server that shares the storage. */
  readonly consoleAddress: ConsoleAddress
  /** The stored results of calls with an idempotency key. */
  readonly replies: Replies
  /** Calls that continue after their request was answered, for MCP clients that support tasks. Absent if the storage has none. */
  readonly tasks?: Tasks
  /** Links to the console and sessions of people, valid at every server that shares the storage. */
  readonly signIns?: SignIns
  /** How people sign in by OpenID Connect, if the config says so now. */
  readonly signInBy: () => OpenIdSignIn | undefined
  /** Logins of callers at MCP servers that require one. Absent if the storage has none. */
  readonly connections?: ServerLogins
  /** Runs of workflows. Absent if the storage has none. */
  readonly runs?: WorkflowRuns
  /** Every workflow document of the contract folders, and what is wrong with it. */
  workflows(): Promise<readonly WorkflowFile[]>
  /** Small persistent values by key. */
  readonly notes: Notes
  /** The raw output of tools that violated their contracts. For people, never for a model. */
  readonly evidence: Pick<Evidence, 'get'>
  /** Records a stage of an agent run in the ledger, without secrets. */
  recordStep(step: Omit<StepRecord, 'kind' | 'at'>): Promise<void>
  /** Metrics in the text format of Prometheus. Absent unless the config or the options ask for telemetry. */
  readonly metrics?: () => Promise<string>
  /** Whether calls can be recorded. */
  health(): Promise<StorageHealth>
  /** Chat sessions with the agent. */
  readonly sessions: Sessions
  /** Resumes a session that has seen the output of these tools, given by id. */
  continueSession(caller: Caller, tools: readonly string[]): Promise<void>
  /** Restores files to their content before calls changed them. Requested by a person, so not a tool call. */
  restore(images: readonly Image[]): Promise<Restored[]>
  /** Waits for calls in flight, and closes the storage. */
  close(): Promise<void>
}

/** Used if no tool types are given. */
export interface AnyTools {
  readonly [name: string]: { readonly input: unknown; readonly output: JsonObject }
}

/** Options of one call. */
export interface CallOptions extends Omit<Call, 'tool' | 'input' | 'caller' | 'inspect' | 'part'> {
  /** Default: `{ name: 'library' }`. */
  readonly caller?: Caller
}

/** A query, which may make one call: with `call`, or wherever a query is accepted. */
export interface OpenQuery extends Query {
  call(tool: string, input: unknown, options?: Omit<CallOptions, 'query'>): Promise<CallResult>
}
