interface Evidence {
  readonly raw: unknown
  readonly keep: boolean
}

const evidence = new WeakMap<object, Evidence>()

/**
 * Keeps beside what a run returns what it was made from, such as the whole answer of a server. People see it if the
 * output breaks the contract, or in any case with `keep`; no caller ever does.
 */
export function withEvidence<Value extends object>(returned: Value, raw: unknown, keep = false): Value {
  evidence.set(returned, { raw, keep })
  return returned
}

/** What was kept beside it, else the value itself. */
export function evidenceOf(returned: unknown): unknown {
  const found = find(returned)
  return found ? found.raw : returned
}

/** What people may see although nothing is wrong. */
export function evidenceToKeep(returned: unknown): unknown {
  const found = find(returned)
  return found?.keep ? found.raw : undefined
}

/** What Toolpact itself found wrong with an answer. Callers read it, so it never quotes the tool. */
export interface Fault {
  readonly message: string
  readonly suggestion?: string
}

const faults = new WeakMap<object, Fault>()

/** Attaches the reason why a returned value breaks its contract, for the caller's error. */
export function withFault<Value extends object>(returned: Value, fault: Fault): Value {
  faults.set(returned, fault)
  return returned
}

export function faultOf(returned: unknown): Fault | undefined {
  return typeof returned === 'object' && returned !== null ? faults.get(returned) : undefined
}

function find(returned: unknown): Evidence | undefined {
  return typeof returned === 'object' && returned !== null ? evidence.get(returned) : undefined
}
