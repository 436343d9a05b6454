import { readFileSync } from 'node:fs'

/**
 * Peak memory of this process in bytes, from /proc if available: `maxRSS` includes the memory of the parent at fork
 * time, so a large parent makes all of its children look large.
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
