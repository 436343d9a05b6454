import type { CallResult } from '../../contract/call-result.ts'
import type { ToolContext } from '../../contract/tool.ts'
import type { Violation } from '../../runtime/pipeline/pipeline-options.ts'

/** Files of the workspace by path. */
export type Files = { readonly [path: string]: string }

/** Runs in the place of the tool: what the pipeline does can be shown without the tool doing anything. */
export type StandIn = (context: ToolContext) => unknown

interface SubjectCall {
  /** In the place of the tool. Without one, the tool itself runs. */
  readonly standIn?: StandIn
  /** What the workspace holds, and nothing else. Default: it is empty. */
  readonly files?: Files
  /** Default: one whom nobody has seen yet, so that no limit is in the way. */
  readonly caller?: string
}

/** What became of a call. */
export interface Observed {
  readonly result: CallResult
  /** Was the tool, or what stands in for it, reached? */
  readonly ran: boolean
  /** How it broke its contract, as the pipeline tells people. */
  readonly violation: Violation | undefined
  /** The capability with which the tool would have reached beyond the workspace, and was not let. */
  readonly reached: string | undefined
}

/** A tool in a pipeline. */
export interface Subject {
  readonly id: string
  /** Text of its contract as the caller reads it: the tools of its toolset are named as it is called, by their ids. */
  asRead(text: string): string
  call(input: unknown, options?: SubjectCall): Promise<Observed>
}
