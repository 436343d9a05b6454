/** One way in which a value breaks its schema: where, what was expected, what was found, and what to do. */
export interface Problem {
  /** JSON pointer into the value; `""` is the whole value. */
  readonly pointer: string
  /** The schema keyword that failed, such as `required` or `maxLength`. */
  readonly keyword: string
  readonly expected: string
  /** The value found, as shortened JSON; absent when nothing was there. */
  readonly found?: string
  /** The whole problem as one sentence that says what to do. */
  readonly message: string
}

/** A failure as data: what every surface renders. */
export interface ErrorData {
  readonly code: string
  readonly message: string
  readonly suggestion: string
  readonly status: number
  /** Can the caller mend it by calling differently? */
  readonly fixable: boolean
  readonly problems?: readonly Problem[]
  readonly retryAfterMs?: number
  /** Where a person must say yes first: call again with this id once they have. */
  readonly approvalId?: string
  /** The question that a person is asked about the call, as text. */
  readonly approvalText?: string
}

export interface ToolErrorOptions {
  suggestion?: string
  /**
   * A fixed sentence that ends the message and may name other tools of the toolset, which callers read under the names
   * that they know. Never part of an input.
   */
  advice?: string
  problems?: readonly Problem[]
  retryAfterMs?: number
  cause?: unknown
}

/**
 * The error class of tools. A tool returns (or a capability throws) it with a code that the tool's contract declares;
 * status, and the suggestion where none is given here, come from the declaration.
 */
export class ToolError<Code extends string = string> extends Error {
  override readonly name = 'ToolError'
  readonly code: Code
  readonly suggestion: string | undefined
  readonly advice: string | undefined
  readonly problems: readonly Problem[] | undefined
  readonly retryAfterMs: number | undefined

  constructor(code: Code, message: string, options: ToolErrorOptions = {}) {
    super(options.advice === undefined ? message : `${message} ${options.advice}`, { cause: options.cause })
    this.code = code
    this.suggestion = options.suggestion
    this.advice = options.advice
    this.problems = options.problems
    this.retryAfterMs = options.retryAfterMs
  }
}
