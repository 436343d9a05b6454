/**
 * What a person was shown of the files that a call writes. Writes are held to it at the moment of use. Paths are as the
 * tool names them, normalized.
 */
export interface ApprovedFiles {
  /** Where each path led: its real path. */
  readonly places: ReadonlyMap<string, string>
  /** What the preview read at a path: SHA-256 of its bytes, in hexadecimal. */
  readonly contents: ReadonlyMap<string, string>
}

/** What a capability is told about the call that uses it. */
export interface CallFiles {
  /** A preview reads through this: told of the content that each whole read found. */
  readonly onRead?: (path: string, digest: string) => void
  /** A run writes through this: other files or places than the approved ones are refused. */
  readonly approved?: ApprovedFiles
}

/** A write would not do what was approved. It did not happen. */
export class OutdatedApproval extends Error {
  override readonly name = 'OutdatedApproval'
}
