/** Why the library refused what a program asked of it. */
export type ToolpactErrorCode =
  /** A contract or toolset is not complete, or holds something that is not JSON. */
  | 'invalid_contract'
  /** A schema of another library says something that JSON Schema cannot. */
  | 'unsupported_schema'

/**
 * What the library throws when a program uses it wrongly. `code` says what kind of mistake it is; the message says what is
 * wrong and what to do. Calls never throw it: what goes wrong in a call is in its `CallResult`.
 */
export class ToolpactError extends Error {
  override readonly name: string = 'ToolpactError'
  readonly code: ToolpactErrorCode

  constructor(code: ToolpactErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options)
    this.code = code
  }
}
