/**
 * Loads something with its first use, and once: `const web = lazily(() => import('./web.ts'))`, then `await web()`. What failed
 * is not kept, so the next use tries again.
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
