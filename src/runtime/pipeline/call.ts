import type { CallClient, TraceContext } from '../../contract/call-client.ts'
import type { Contract } from '../../contract/contract.ts'
import type { KeepImage } from '../../contract/image.ts'
import type { JsonValue } from '../../contract/json.ts'
import type { RunFollow, RunPart } from '../../contract/run-part.ts'
import type { Caller, Progress } from '../../contract/tool.ts'
import type { Approver } from '../approval/approver.ts'
import type { Query } from './queries.ts'

/** A request as a surface passes it to the pipeline. Nothing in it is trusted. */
export interface Call {
  /** A listed name, a full id (`toolset.tool`), or a bare name where it is unique. */
  readonly tool: string
  readonly input: unknown
  readonly caller: Caller
  /** A query allows one call in total. */
  readonly query?: Query
  /** An approval that was granted before, for exactly this call. */
  readonly approvalId?: string
  /** Overrides the pipeline's approver. Chosen by the surface, never by a request. */
  readonly approver?: Approver
  /** The approver of calls that the run makes, if it differs: these cannot end with a pending question. */
  readonly innerApprover?: Approver
  /** Receives the content of files before the call writes them. Chosen by the surface, never by a request. */
  readonly keep?: KeepImage
  /** Refuse the call unless its tool is `read_only`. Chosen by the surface, never by a request. */
  readonly readOnly?: boolean
  /** The call comes from a model: tools that are for apps alone do not exist for it. Chosen by the surface, never by a request. */
  readonly forModel?: boolean
  /**
   * Called with the contract of the tool and the bounded input before that is validated. A text that it returns refuses
   * the call as `invalid_input`. Chosen by the surface, never by a request.
   */
  readonly inspect?: (contract: Contract, input: JsonValue) => string | undefined
  /** What the tool may ask of the client. Chosen by the surface, never by a request. */
  readonly client?: CallClient
  /** How the caller follows the run of a workflow. Chosen by the surface, never by a request. */
  readonly run?: RunFollow
  /** The call is a step of a run. Chosen by the run, never by a request. */
  readonly part?: RunPart
  /** Passed on to MCP servers. */
  readonly trace?: TraceContext
  /** How the call arrived, for telemetry. Chosen by the surface, never by a request. */
  readonly origin?: CallOrigin
  readonly signal?: AbortSignal
  readonly onProgress?: (update: Progress) => void
  /**
   * Receives the output of commands while they run, unchecked and unredacted: for a person who watches, never for a model.
   * Chosen by the surface, never by a request.
   */
  readonly onOutput?: (text: string) => void
}

/** How a call arrived. */
export interface CallOrigin {
  readonly surface: 'mcp' | 'rest' | 'console' | 'cli' | 'agent'
  readonly transport?: 'pipe' | 'tcp'
  /** Of an MCP request: its method, id and revision. */
  readonly method?: string
  readonly requestId?: string | number
  readonly revision?: string
}
