import { readFileSync } from 'node:fs'

/**
 * How large this process became, in bytes. Where the system tells it: `maxRSS` also counts what the parent held when it
 * started this process, so that a large parent makes all of its children look large.
 */
export function largestSize(): number {
  return Number(readPeak() ?? process.resourceUsage().maxRSS) * 1024
}

function readPeak(): string | undefined {
  try {
    return /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
  } catch {
    return undefined
  }
}
