import { type PipelineCode, type PipelineErrorOptions, toPipelineError } from '../contract/error-codes.ts'
import type { ErrorData } from '../contract/tool-error.ts'

/** Ends a call at the step that throws it. Never leaves the pipeline: `data` is what the caller gets. */
export class Stop extends Error {
  readonly data: ErrorData

  constructor(data: ErrorData) {
    super(data.message)
    this.data = data
  }

  static at(code: PipelineCode, message: string, options?: PipelineErrorOptions): Stop {
    return new Stop(toPipelineError(code, message, options))
  }
}
