/** What was at a path before a call wrote there, so that it can be put back. */
export interface Image {
  /** From the workspace, with `/`. */
  readonly path: string
  /** null: nothing was there. `too_large`: a file was there, and is too large to be kept. */
  readonly before: Uint8Array | null | 'too_large'
  /** What the call leaves there, as far as it is known: SHA-256 of the content, or `directory`. */
  readonly after?: string
}

/**
 * Told before each write of a call; the write waits for it, and does not happen where it rejects. A path may be told
 * several times: its first `before` and its last `after` count.
 */
export type KeepImage = (image: Image) => Promise<void>
