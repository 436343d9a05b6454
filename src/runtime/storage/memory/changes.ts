/** A burst of changes is reported once, this long after the first. */
const debounceMs = 50

/** Reports changes to those who watch. */
export function createChanges() {
  const listeners = new Set<() => unknown>()
  let isDue = false

  function report() {
    isDue = false
    for (const listener of listeners) listener()
  }

  return {
    changed() {
      if (listeners.size === 0 || isDue) return
      isDue = true
      setTimeout(report, debounceMs).unref()
    },
    watch(onChange: () => unknown): () => void {
      const listener = () => onChange()
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
