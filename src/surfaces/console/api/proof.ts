/** Where the entries of a call are in the Merkle tree of the ledger. */
export interface SealResponse {
  /** Of an agent run with thousands of entries: the newest. */
  readonly entries: readonly {
    readonly seq: number
    /** Position in the tree; the first is 0. */
    readonly index: number
    readonly isSealed: boolean
  }[]
  /** The newest one; null before the first. */
  readonly checkpoint: { readonly size: number; readonly at: string } | null
}

export interface ProofResponse {
  /** The file, as `toolpact ledger prove` makes it. It is ASCII, so that no hidden character in it is changed on the way. */
  readonly text: string
}

export interface KeyResponse {
  /** As `toolpact ledger key` prints it. */
  readonly publicKey: string
}
