import type { JsonObject } from '../../contract/json.ts'

/** Replies by idempotency key, so that a repeated request does not run twice. */
export interface Replies {
  /**
   * Claims a key for a call with this input. `other_input`: the key was used for another call. `in_flight`: the first call is
   * in flight, or its process crashed.
   */
  claim(key: string, inputDigest: string, until: { readonly now: number; readonly expiresAt: number }): Promise<Claim>
  /** Stores the reply of the call that claimed the key. */
  keep(key: string, reply: JsonObject): Promise<void>
  /** Releases the key of a call that did not run. */
  release(key: string): Promise<void>
}

/** The result of claiming an idempotency key. */
export type Claim =
  | { readonly state: 'claimed' | 'in_flight' | 'other_input' }
  | { readonly state: 'kept'; readonly reply: JsonObject }
