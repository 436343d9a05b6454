import type { CallResult } from '../../contract/call-result.ts'
import type { ToolContext } from '../../contract/tool.ts'
import type { Violation } from '../../runtime/pipeline/pipeline-options.ts'

/** Files of the workspace by path. */
export type Files = { readonly [path: string]: string }

/** A stub that replaces the tool, to test the pipeline without side effects. */
export type StandIn = (context: ToolContext) => unknown

interface SubjectCall {
  /** Replaces the tool. Default: the tool itself. */
  readonly standIn?: StandIn
  /** Files of the workspace. Default: none. */
  readonly files?: Files
  /** Default: a fresh caller, so that no rate limit applies. */
  readonly caller?: string
}

/** The outcome of a call. */
export interface Observed {
  readonly result: CallResult
  /** Whether the tool or its stub was reached. */
  readonly ran: boolean
  /** The contract violation reported by the pipeline. */
  readonly violation: Violation | undefined
  /** The capability that was blocked because it reaches beyond the workspace. */
  readonly reached: string | undefined
}

/** A tool in a pipeline. */
export interface Subject {
  readonly id: string
  /** Text of the contract as callers see it, with tools named by id. */
  asRead(text: string): string
  call(input: unknown, options?: SubjectCall): Promise<Observed>
}
