/**
 * A step of OAuth failed. The message says what happened and what to do, and contains no secret. `code` is the error code of the
 * authorization server, if it sent one.
 */
export class OAuthError extends Error {
  override readonly name = 'OAuthError'
  readonly code: string | undefined
  /** The connection cannot be used any more: a person must connect again. */
  readonly isFinal: boolean

  constructor(message: string, options: ErrorOptions & { readonly code?: string; readonly isFinal?: boolean } = {}) {
    super(message, options)
    this.code = options.code
    this.isFinal = options.isFinal ?? false
  }
}
