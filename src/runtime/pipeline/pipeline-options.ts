import type { CallFiles } from '../../contract/approved-files.ts'
import type { Risk } from '../../contract/contract.ts'
import type { JsonValue } from '../../contract/json.ts'
import type { RuleProposal } from '../../contract/rule.ts'
import type { Caller } from '../../contract/tool.ts'
import type { Problem } from '../../contract/tool-error.ts'
import type { AnswerTerms } from '../../policy/approvers.ts'
import type { Policy } from '../../policy/decide.ts'
import type { Approver } from '../approval/approver.ts'
import type { Storage } from '../storage/storage.ts'
import type { Call } from './call.ts'
import type { Observe } from './call-event.ts'
import type { Catalog } from './catalog.ts'
import type { DataFlows } from './data-flows.ts'

export interface PipelineOptions<Capabilities> {
  readonly catalog: Catalog<Capabilities>
  readonly storage: Storage
  /** Opens the capabilities that the tool needs for this call. Not called for tools that need none. */
  readonly capabilities: (call: Call, tool: NeedyTool, access?: CallAccess) => Capabilities | Promise<Capabilities>
  /** Read at each call, so that the operator can change it. Only rules of this tool are needed. */
  readonly policy?: (toolId: string) => Policy | Promise<Policy>
  /** Real path of the workspace, for rules that apply to it. */
  readonly workspace?: string
  /** Session id for callers without one, for rules that apply to a session. */
  readonly session?: string
  readonly approver?: Approver
  /** Who may answer questions about a call; undefined: any person. Read at each call. */
  readonly termsOf?: (call: AnsweredCall) => AnswerTerms | undefined
  /** All groups of a caller: those of its token, and those of the config. Read at each call. */
  readonly groupsOf?: (caller: Caller) => readonly string[]
  /** Limits calls that do not name a query. Read at each call. */
  readonly steps?: () => StepSettings
  /** Other processes serve the same callers, so the storage keeps which queries have made their call. */
  readonly sharesCallers?: boolean
  /** What sessions have read, for policies that follow data. */
  readonly flows?: DataFlows
  /** Saves a rule that a person chose with their approval; rejects on failure. */
  readonly saveRule?: (rule: RuleProposal, from: RuleOrigin) => Promise<void>
  /** Removes secrets from an input and bounds it, for the ledger. */
  readonly redact: (value: JsonValue) => JsonValue
  /** The same for evidence of broken contracts, with a higher size limit. Default: `redact`. */
  readonly redactEvidence?: (value: JsonValue) => JsonValue
  /** Receives every broken contract and failed check, with evidence that the caller must not see. For people, never for a model. */
  readonly onViolation?: (violation: Violation) => void
  /** Receives an event for each check of a call that begins, passes or fails, and for its end. */
  readonly observe?: Observe | undefined
}

/** A call, for the decision who may answer questions about it. */
interface AnsweredCall {
  readonly tool: string
  readonly risk: Risk
  readonly caller: Caller
}

/** A tool, and the names of the capabilities that it needs. */
export interface NeedyTool {
  readonly toolId: string
  readonly needs: readonly string[]
}

/** Whether a call may follow a redirect to this URL. */
export type MayReach = (url: URL) => Promise<boolean>

/** How many calls a query or session may make. */
export interface StepSettings {
  /** Calls that do not name a query share one query per session. */
  readonly singleStep?: boolean
  /** Calls that do not name a query are refused. */
  readonly requireQuery?: boolean
}

/** The call that a rule was created for. */
export interface RuleOrigin {
  readonly toolId: string
  readonly caller: Caller
  /** Who chose it. */
  readonly by: string
}

/** Restrictions that capabilities apply to the call that uses them. */
export interface CallAccess extends CallFiles {
  readonly mayReach?: MayReach | undefined
}

/** How a tool broke its contract or (`check_failed`) what failed in a check, with the evidence. */
export interface Violation {
  readonly callId: string
  readonly tool: string
  readonly kind: 'threw' | 'undeclared_error' | 'invalid_output' | 'check_failed'
  readonly message: string
  readonly problems?: readonly Problem[]
  readonly raw?: unknown
}
