/** A schema violation: where, what was expected, what was found, and how to fix it. */
export interface Problem {
  /** JSON pointer into the value; `""` is the whole value. */
  readonly pointer: string
  /** The schema keyword that failed, such as `required` or `maxLength`. */
  readonly keyword: string
  readonly expected: string
  /** The value found, as shortened JSON; absent if there was none. */
  readonly found?: string
  /** The complete problem as one sentence, including the fix. */
  readonly message: string
}

/** A failure as data, rendered by every surface. */
export interface ErrorData {
  readonly code: string
  readonly message: string
  readonly suggestion: string
  readonly status: number
  /** Whether the caller can fix it by changing the call. */
  readonly fixable: boolean
  readonly problems?: readonly Problem[]
  readonly retryAfterMs?: number
  /** Set if the caller's token lacks this scope. */
  readonly scope?: string
  /** Set if a person must approve the call first: repeat the call with this id after the approval. */
  readonly approvalId?: string
  /** The approval question, as text. */
  readonly approvalText?: string
  /** Set if the caller must connect to a server first: the page where they do. It carries no credential. */
  readonly connect?: string
}

export interface ToolErrorOptions {
  suggestion?: string
  /**
   * A fixed sentence appended to the message. Tool names in it are replaced with the names that the caller knows. Never
   * part of an input.
   */
  advice?: string
  problems?: readonly Problem[]
  retryAfterMs?: number
  /** The address of a page where the caller connects to the server that the tool needs. */
  connect?: string
  cause?: unknown
}

/**
 * The error class of tools. A tool returns it, or a capability throws it, with a code that the contract declares. The
 * declaration provides the status and the default suggestion.
 */
export class ToolError<Code extends string = string> extends Error {
  override readonly name = 'ToolError'
  readonly code: Code
  readonly suggestion: string | undefined
  readonly advice: string | undefined
  readonly problems: readonly Problem[] | undefined
  readonly retryAfterMs: number | undefined
  readonly connect: string | undefined

  constructor(code: Code, message: string, options: ToolErrorOptions = {}) {
    super(options.advice === undefined ? message : `${message} ${options.advice}`, { cause: options.cause })
    this.code = code
    this.suggestion = options.suggestion
    this.advice = options.advice
    this.problems = options.problems
    this.retryAfterMs = options.retryAfterMs
    this.connect = options.connect
  }
}
