import { type PipelineCode, toPipelineError } from '../contract/error-codes.ts'
import type { ErrorData, ToolErrorOptions } from '../contract/tool-error.ts'

/** Ends a call at the step that throws it. Never leaves the pipeline: `data` is what the caller gets. */
export class Stop extends Error {
  readonly data: ErrorData

  constructor(data: ErrorData) {
    super(data.message)
    this.data = data
  }

  static at(code: PipelineCode, message: string, options?: ToolErrorOptions): Stop {
    return new Stop(toPipelineError(code, message, options))
  }
}
