/** The reason why the library refused an operation. `docs/contract.md` explains each code. */
export type ToolpactErrorCode = keyof typeof toolpactErrorCodes

/** Every code and its meaning. */
export const toolpactErrorCodes = {
  invalid_contract: 'A contract or toolset is incomplete, or has something that is not JSON.',
  unsupported_schema: 'A schema of another library uses something that JSON Schema cannot express.',
  invalid_schema: 'A JSON Schema is not valid, or cannot be checked in bounded time.',
  invalid_config: 'The config is not valid, or cannot be read.',
  invalid_option: 'An option or argument is unknown, or has the wrong type.',
  invalid_rule: 'A rule would not be used, or may not be saved.',
  not_json: 'A value is not JSON.',
  not_found: 'There is no tool, run, session or sealed entry of that name.',
  wrong_state: 'A run of a workflow is not in a state in which that is possible.',
  exists_already: 'Something with that id already exists.',
  too_large: 'A session, an entry of one, or a proof exceeds the size limit.',
  lock_refused: 'Tools of an MCP server could not be accepted.',
  storage_unavailable: 'The state directory cannot be used: damaged, locked, of a newer version, or open to others.',
  closed: 'This Toolpact is closed.',
} as const

/**
 * Thrown when a program uses the library incorrectly. `code` is the kind of mistake; the message explains it and how to
 * fix it. Calls never throw it: failures of a call are in its `CallResult`.
 */
export class ToolpactError extends Error {
  override readonly name: string = 'ToolpactError'
  readonly code: ToolpactErrorCode

  constructor(code: ToolpactErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options)
    this.code = code
  }
}

/** The error for a closed Toolpact or storage. */
export function toClosedError(): ToolpactError {
  return new ToolpactError('closed', 'The storage is closed. Open another Toolpact with openToolpact().')
}
