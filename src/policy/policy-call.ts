import type { Contract } from '../contract/contract.ts'
import type { JsonObject } from '../contract/json.ts'
import type { Caller } from '../contract/tool.ts'
import type { DataFlow } from './data-flow.ts'

/** What the policy sees of a call. */
export interface PolicyCall {
  /** The full id, `toolset.tool`. */
  readonly toolId: string
  readonly contract: Contract
  /** Validated, with its defaults. */
  readonly input: JsonObject
  /** RFC 8785 text of the input: what rules match. */
  readonly canonicalInput: string
  readonly caller: Caller
  /** Real path of the folder that tools work in. */
  readonly workspace?: string
  /**
   * Paths of the input that lead elsewhere through symlinks, each with its absolute real path. Rules match both, and the
   * stricter verdict counts.
   */
  readonly realPaths?: ReadonlyMap<string, string>
  /** What its session has taken in. Absent: it is not followed, or the call sends nothing. */
  readonly flow?: DataFlow
  /** Milliseconds since 1970. */
  readonly now: number
  /** The latest time that is known to have passed: rules that allow expire by it, even if the clock was set back. */
  readonly latest?: number
}
