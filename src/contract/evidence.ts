const evidence = new WeakMap<object, unknown>()

/**
 * Keeps beside what a run returns what it was made from, such as the whole answer of a server. People see it if the
 * output breaks the contract; no caller ever does.
 */
export function withEvidence<Value extends object>(returned: Value, raw: unknown): Value {
  evidence.set(returned, raw)
  return returned
}

/** What was kept beside it, else the value itself. */
export function evidenceOf(returned: unknown): unknown {
  if (typeof returned !== 'object' || returned === null) return returned
  return evidence.has(returned) ? evidence.get(returned) : returned
}
