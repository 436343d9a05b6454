/** What became of a connection and its tokens. `fault`: why they could not be revoked. */
export type RemovedConnection =
  | { readonly removed: false }
  | { readonly removed: true; readonly revoked: boolean; readonly fault?: string }
