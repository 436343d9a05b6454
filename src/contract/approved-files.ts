/**
 * The files that a person approved a call to write. Every write is checked against it. Paths are normalized, as the
 * tool names them.
 */
export interface ApprovedFiles {
  /** The real path of each path. */
  readonly places: ReadonlyMap<string, string>
  /** SHA-256 (hex) of the content that the preview read at each path. */
  readonly contents: ReadonlyMap<string, string>
}

/** What a capability knows about the call that uses it. */
export interface CallFiles {
  /** Called during a preview, with the content of each complete read. */
  readonly onRead?: (path: string, digest: string) => void
  /** Checked during a run: writes to other files or real paths are refused. */
  readonly approved?: ApprovedFiles
}

/** A write would not match the approval. Nothing was written. */
export class OutdatedApproval extends Error {
  override readonly name = 'OutdatedApproval'
}
