interface Evidence {
  readonly raw: unknown
  readonly keep: boolean
}

const evidence = new WeakMap<object, Evidence>()

/**
 * Attaches the raw data to a returned value, such as the full response of a server. People see it if the output
 * violates the contract, or always with `keep`; callers never do.
 */
export function withEvidence<Value extends object>(returned: Value, raw: unknown, keep = false): Value {
  evidence.set(returned, { raw, keep })
  return returned
}

/** Detaches and returns the raw data, otherwise the value itself. */
export function takeEvidence(returned: unknown): unknown {
  const found = take(returned)
  return found ? found.raw : returned
}

/** Detaches the raw data, and returns it if people may see it although the output is valid. */
export function takeEvidenceToKeep(returned: unknown): unknown {
  const found = take(returned)
  return found?.keep ? found.raw : undefined
}

/** What Toolpact found wrong with a response. Callers read it, so it never quotes the tool. */
export interface Fault {
  readonly message: string
  readonly suggestion?: string
}

const faults = new WeakMap<object, Fault>()

/** Attaches the reason why a returned value violates its contract, or why a tool threw, for the error that the caller gets. */
export function withFault<Value extends object>(returned: Value, fault: Fault): Value {
  faults.set(returned, fault)
  return returned
}

export function faultOf(returned: unknown): Fault | undefined {
  return typeof returned === 'object' && returned !== null ? faults.get(returned) : undefined
}

/**
 * Deleted, because the raw data usually contains the returned value: collections of the young generation treat the values of
 * a WeakMap as strong, so each response would stay in memory until the next full collection (12 µs per call to copy it).
 */
function take(returned: unknown): Evidence | undefined {
  if (typeof returned !== 'object' || returned === null) return undefined
  const found = evidence.get(returned)
  if (found) evidence.delete(returned)
  return found
}
