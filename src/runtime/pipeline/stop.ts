import { type PipelineCode, type PipelineErrorOptions, toPipelineError } from '../../contract/error-codes.ts'
import type { ErrorData } from '../../contract/tool-error.ts'

/** Thrown by a step to end the call; never leaves the pipeline. `data` is what the caller gets. Not an Error: it needs no stack. */
export class Stop {
  readonly data: ErrorData

  constructor(data: ErrorData) {
    this.data = data
  }

  static at(code: PipelineCode, message: string, options?: PipelineErrorOptions): Stop {
    return new Stop(toPipelineError(code, message, options))
  }
}
