import type { CallFiles } from '../../contract/approved-files.ts'
import type { JsonValue } from '../../contract/json.ts'
import type { RuleProposal } from '../../contract/rule.ts'
import type { Caller } from '../../contract/tool.ts'
import type { Problem } from '../../contract/tool-error.ts'
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
  /** What the tool needs, opened for this call. Not asked for tools that need nothing. */
  readonly capabilities: (call: Call, tool: NeedyTool, access?: CallAccess) => Capabilities | Promise<Capabilities>
  /** Read at each call, so that the operator may change it. Its rules need to be those of the tool only. */
  readonly policy?: (toolId: string) => Policy | Promise<Policy>
  /** Real path of the folder that tools work in, for rules that hold there. */
  readonly workspace?: string
  /** What tells callers without a session of their own from those of another process, for rules that hold in a session. */
  readonly session?: string
  readonly approver?: Approver
  /** What limits calls that name no query. Read at each call. */
  readonly steps?: () => StepSettings
  /** What sessions have taken in, for policies that follow it. */
  readonly flows?: DataFlows
  /** Keeps a rule that was answered along with a yes to this call; rejects where it cannot. */
  readonly saveRule?: (rule: RuleProposal, from: RuleOrigin) => Promise<void>
  /** Makes an input fit to be kept: without secrets, and bounded. */
  readonly redact: (value: JsonValue) => JsonValue
  /** The same for what a tool said that broke its contract, of which people want to see more. Default: `redact`. */
  readonly redactEvidence?: (value: JsonValue) => JsonValue
  /** Told of every broken contract and failed check, with what the caller must not see. For people, never for a model. */
  readonly onViolation?: (violation: Violation) => void
  /** Receives an event for each check of a call that begins, passes or fails, and for its end. */
  readonly observe?: Observe | undefined
}

/** A tool, and the names of the capabilities that it is to be handed. */
export interface NeedyTool {
  readonly toolId: string
  readonly needs: readonly string[]
}

/** Whether a call may go on to another address than it named, as a redirect asks. */
export type MayReach = (url: URL) => Promise<boolean>

/** How many calls a query or session may make. */
export interface StepSettings {
  /** Calls of a session that name no query belong to one query. */
  readonly singleStep?: boolean
  /** Calls that name no query are refused. */
  readonly requireQuery?: boolean
}

/** The call that a rule was made for. */
export interface RuleOrigin {
  readonly toolId: string
  readonly caller: Caller
  /** Who wants it kept. */
  readonly by: string
}

/** What capabilities are told about the call that uses them. */
export interface CallAccess extends CallFiles {
  readonly mayReach?: MayReach | undefined
}

/** How a tool broke its contract, or (`check_failed`) what broke around it, with the evidence. */
export interface Violation {
  readonly callId: string
  readonly tool: string
  readonly kind: 'threw' | 'undeclared_error' | 'invalid_output' | 'check_failed'
  readonly message: string
  readonly problems?: readonly Problem[]
  readonly raw?: unknown
}
