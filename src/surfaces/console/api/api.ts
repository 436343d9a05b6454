/**
 * The console's JSON API under `/console/api`, as types that the server and the page share. Times are ISO 8601 text unless a
 * name ends in `Ms`. Every string that a tool, a server or a model wrote arrives with hidden characters already made visible,
 * and the page shows all of it as text. OpenAPI describes the same routes; a test holds the two together.
 *
 * GET  session                        Session
 * POST sign-out                       204
 * GET  sessions                       SessionList
 * POST sessions/end                   EndSessionsRequest -> ActionResponse
 * GET  stream                         server-sent events: see StreamEvents
 * GET  overview                       Overview
 * GET  questions                      QuestionList
 * GET  questions/{id}                 QuestionDetail
 * POST questions/answer               AnswerRequest -> AnswerResponse
 * GET  calls?CallQuery                CallPage
 * GET  calls/{id}                     CallStory
 * GET  calls/{id}/evidence            EvidenceResponse
 * GET  calls/{id}/seal                SealResponse
 * GET  calls/{id}/proof               ProofResponse
 * GET  ledger/key                     KeyResponse
 * POST ledger/verify                  VerifyResponse
 * GET  tools?ToolQuery                ToolPage
 * GET  tools/{id}                     ToolDetail
 * POST tools/{id}/foresee             TryRequest -> ForeseeResponse
 * POST tools/{id}/call                TryRequest -> TryResponse
 * GET  runs?RunQuery                  RunPage
 * GET  runs/{id}                      RunDetail
 * GET  runs/{id}/output?step=KEY      RunOutput
 * POST runs/{id}/cancel               ActionResponse
 * POST runs/{id}/retry                ActionResponse
 * POST runs/{id}/resume               ResumeRequest -> ActionResponse
 * GET  servers                        ServerList
 * GET  servers/{name}                 ServerDetail
 * POST servers/{name}/restart         ActionResponse
 * POST servers/{name}/adopt           AdoptRequest -> ActionResponse
 * POST servers/propose                AddServersRequest -> ProposeServersResponse
 * POST servers/add                    AddServersRequest -> AddServersResponse
 * GET  lock                           LockResponse
 * POST lock/decide                    LockDecision -> ActionResponse
 * GET  rules                          RuleList
 * POST rules/create                   RuleInput -> ActionResponse
 * POST rules/{id}/change              RuleChange -> ActionResponse
 * POST rules/preview                  RuleInput -> RulePreview
 * POST rules/simulate                 SimulateRequest -> SimulateResponse
 * GET  plots?range=PlotRange          PlotData
 *
 * Errors are problem documents (RFC 9457) with `code`, `detail` and `suggestion`. Requests that change something carry the
 * header `Toolpact-Console: 1`, which a foreign page cannot send.
 */
import type { CallRow } from './calls.ts'

/**
 * `view`: read everything. `approve`: answer questions, cancel and resume runs. `manage`: change rules, servers and the lock,
 * call tools and retry runs. `connect`, which is then the only one: connect to servers, as everyone may.
 */
export type Right = 'connect' | 'view' | 'approve' | 'manage'

export interface Session {
  /** The name that the ledger records. */
  readonly person: string
  readonly rights: readonly Right[]
  readonly version: string
  readonly workspace: string
  /** For the command that connects a client: `toolpact connect CLIENT --http`. */
  readonly url: string
}

/** The counts and states beside the navigation. Sent again on the stream whenever one changes. */
export interface Overview {
  readonly questions: number
  /** Changes of accepted tools that nobody has decided about. */
  readonly reviews: number
  /** Runs of workflows that wait for an answer, or need a person to continue. */
  readonly runs: number
  readonly servers: { readonly total: number; readonly ready: number; readonly failed: number }
  readonly storage: {
    readonly isWritable: boolean
    readonly lastCommitAt: string | null
    readonly failure?: string
    /** Calls that only read continue, recorded in a journal of this server until the storage takes them. */
    readonly journal?: { readonly records: number; readonly since: string }
  }
  readonly ledger: { readonly head: number; readonly verified?: 'intact' | 'broken' }
  /** The newest checkpoint, if the storage seals: the entries that it covers, and when it was signed. */
  readonly seal?: { readonly size: number; readonly at: string | null; readonly isFailing: boolean }
}

/**
 * Events by name. `entries` has an id, the ledger position, from which a reconnecting browser continues (`Last-Event-ID`).
 * All others describe a current state and are not replayed.
 */
export interface StreamEvents {
  /** Once per connection: every call that was in flight then. A browser forgets others that it took for running. */
  readonly inFlight: {
    /** They wait for an answer, in any process, or were observed by this one. */
    readonly live: readonly LiveCall[]
    /** They run, in any process: the ledger has no outcome yet. */
    readonly running: readonly CallRow[]
  }
  /** Calls of this process whose checks advanced since the last event. */
  readonly calls: { readonly calls: readonly LiveCall[] }
  /** Calls that ended or were refused, in any process. */
  readonly entries: { readonly calls: readonly CallRow[] }
  /** Too much happened while the browser was away: load the page again. */
  readonly reset: { readonly head: number }
  /** The questions changed: load them again. `asked`: ids of new ones. */
  readonly questions: { readonly count: number; readonly asked: readonly string[] }
  /** A server's state or tools changed. */
  readonly servers: { readonly name: string }
  readonly rules: { readonly changed: true }
  /** A run of a workflow changed, in any process. */
  readonly runs: { readonly changed: true }
  readonly overview: Overview
}

/** The checks of the pipeline, in order. */
export const checkNames = [
  'resolve',
  'bound',
  'input',
  'single_step',
  'rate',
  'decide',
  'check',
  'approve',
  'intent',
  'run',
  'output',
] as const

export type CheckName = (typeof checkNames)[number]

/** `begun`: in progress. `approve` in progress waits for a person. A check that was not reached is absent. */
export type CheckState = 'passed' | 'failed' | 'not_needed' | 'begun'

export type Checks = { readonly [check in CheckName]?: CheckState }

/** A call as it was observed, before the ledger has it. */
export interface LiveCall {
  readonly callId: string
  readonly tool: string
  readonly caller: string
  readonly startedAt: string
  readonly checks: Checks
  /** Of a call that waits: what it is about, in a few words. */
  readonly about?: string
  /** Set once it has ended. */
  readonly ended?: { readonly code: string | null; readonly ran: boolean; readonly durationMs: number }
}
