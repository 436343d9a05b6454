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

function find(returned: unknown): Evidence | undefined {
  return typeof returned === 'object' && returned !== null ? evidence.get(returned) : undefined
}
