import type { Caller } from './tool.ts'

/**
 * The tokens that callers presented, for servers that exchange them. Beside the callers and not in them: tools, logs and the
 * ledger get the caller, and an entry ends with its object. Nothing but an exchange may read it.
 */
const tokens = new WeakMap<Caller, string>()

/** The same caller, with the token of its request. */
export function withCallerToken(caller: Caller, token: string): Caller {
  const own = Object.freeze({ ...caller })
  tokens.set(own, token)
  return own
}

/** Lets a copy of a caller use its token. Returns the copy. */
export function passCallerToken(copy: Caller, from: Caller): Caller {
  const token = tokens.get(from)
  if (token !== undefined) tokens.set(copy, token)
  return copy
}

export function findCallerToken(caller: Caller): string | undefined {
  return tokens.get(caller)
}
