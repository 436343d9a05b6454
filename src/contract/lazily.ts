/**
 * Loads a value on first use, once: `const web = lazily(() => import('./web.ts'))`, then `await web()`. A failed load
 * is not cached: the next use retries.
 */
export function lazily<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loaded: Promise<Value> | undefined
  return () => {
    loaded ??= load().catch((cause) => {
      loaded = undefined
      throw cause
    })
    return loaded
  }
}
