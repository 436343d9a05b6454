/** What was looked up since the calls of a group began; undefined outside of a group. */
let looked: Map<string, unknown> | undefined

/**
 * Begins calls whose requests had all arrived before. What they look up outside of this process with `lookOnce` is looked up
 * once for all of them: nothing that any of their clients had seen when it sent its request can be newer. `begin` does not
 * wait, so this holds only for what calls look up before they wait for anything.
 */
export function beginArrived(begin: () => void): void {
  looked = new Map()
  try {
    begin()
  } finally {
    looked = undefined
  }
}

export function lookOnce<Found>(key: string, look: () => Found): Found {
  if (!looked) return look()
  if (!looked.has(key)) looked.set(key, look())
  return looked.get(key) as Found
}
