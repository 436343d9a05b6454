/** The state of a path before a call wrote to it, so that it can be restored. */
export interface Image {
  /** Relative to the workspace, with `/`. */
  readonly path: string
  /** null: the path did not exist. `too_large`: a file that is too large to store. */
  readonly before: Uint8Array | null | 'too_large'
  /** The state after the call, if known: SHA-256 of the content, or `directory`. */
  readonly after?: string
}

/**
 * Called before each write of a call. The write waits for it and is cancelled if it rejects. Of several calls for one
 * path, the first `before` and the last `after` count.
 */
export type KeepImage = (image: Image) => Promise<void>
