import type { Contract } from '../contract/contract.ts'
import type { JsonObject } from '../contract/json.ts'
import type { Caller } from '../contract/tool.ts'
import type { DataFlow } from './data-flow.ts'

/** A call as the policy sees it. */
export interface PolicyCall {
  /** The full id, `toolset.tool`. */
  readonly toolId: string
  readonly contract: Contract
  /** Validated, with defaults applied. */
  readonly input: JsonObject
  /** RFC 8785 text of the input, which rules match. */
  readonly canonicalInput: string
  /** With all of its groups: those of its token, and those of the config. */
  readonly caller: Caller
  /** Real path of the folder that tools work in. */
  readonly workspace?: string
  /**
   * Paths of the input that resolve elsewhere through symlinks, with their absolute real paths. Rules match both, and the
   * stricter verdict applies.
   */
  readonly realPaths?: ReadonlyMap<string, string>
  /** What its session has read. Absent if data flow is not tracked, or the call sends nothing. */
  readonly flow?: DataFlow
  /** Milliseconds since 1970. */
  readonly now: number
  /** The latest time observed by any process. Allow rules expire by it, even if the clock was set back. */
  readonly latest?: number
}
