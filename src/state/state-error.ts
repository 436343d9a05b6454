import { ToolpactError } from '../contract/toolpact-error.ts'

/** Stored state is damaged, cannot be read, or could have been written by another user. The message says what to do. */
export class StateError extends ToolpactError {
  override readonly name: string = 'StateError'

  constructor(message: string, options: ErrorOptions = {}) {
    super('storage_unavailable', message, options)
  }
}
