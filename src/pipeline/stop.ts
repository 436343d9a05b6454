import type { DeclaredError } from '../contract/contract.ts'
import { type PipelineCode, toPipelineError } from '../contract/error-codes.ts'
import type { ErrorData, ToolError, ToolErrorOptions } from '../contract/tool-error.ts'

const mostMessageCharacters = 65_536

/** Ends a call at the step that throws it. Never leaves the pipeline: `data` is what the caller gets. */
export class Stop extends Error {
  readonly data: ErrorData

  constructor(data: ErrorData, cause?: unknown) {
    super(data.message, { cause })
    this.data = data
  }

  static at(code: PipelineCode, message: string, options: ToolErrorOptions = {}): Stop {
    return new Stop(toPipelineError(code, message, options), options.cause)
  }

  /** The tool failed as its contract says that it may. */
  static declared(error: ToolError, { code, status, suggestion }: DeclaredError): Stop {
    const { problems, retryAfterMs } = error
    return new Stop({
      code,
      message: error.message.slice(0, mostMessageCharacters),
      suggestion: (error.suggestion ?? suggestion).slice(0, mostMessageCharacters),
      status,
      fixable: status < 500,
      ...(problems && { problems }),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    })
  }
}
