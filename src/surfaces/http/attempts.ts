/** Limits how often something is tried, by address. */
export interface Attempts {
  /** Counts a try; returns the seconds to wait if there were too many. */
  count(address: string): number | undefined
}

/** Addresses that are remembered. If there are more, the one that began first is forgotten. */
const maxAddresses = 10_000

export function createAttempts({ max, windowMs }: { readonly max: number; readonly windowMs: number }): Attempts {
  const tried = new Map<string, { began: number; counted: number }>()
  return {
    count(address) {
      const now = performance.now()
      const key = toNetwork(address)
      let found = tried.get(key)
      if (!found || now - found.began >= windowMs) {
        tried.delete(key)
        if (tried.size >= maxAddresses) tried.delete(tried.keys().next().value!)
        found = { began: now, counted: 0 }
        tried.set(key, found)
      }
      found.counted++
      return found.counted > max ? Math.max(1, Math.ceil((found.began + windowMs - now) / 1000)) : undefined
    },
  }
}

/** An IPv6 host has a whole /64 of addresses to try from. */
function toNetwork(address: string): string {
  if (!address.includes(':')) return address
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  const last = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros =
    tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - groups.length - last.length) }, () => '0')
  return [...groups, ...zeros, ...last].slice(0, 4).join(':')
}
