import { readdirSync, readFileSync } from 'node:fs'
import type { CommandLimits, LimitName } from './limits.ts'

const intervalMs = 200

/**
 * Looks at all processes below one until stopped, and reports the limit that they exceed together. The kernel limits
 * each process by itself, and does not limit the number of processes of root at all. Linux only.
 */
export function watchUsage(leader: number, limits: CommandLimits, onExceeded: (limit: LimitName) => void): () => void {
  const timer = setInterval(() => {
    const limit = findExceeded(leader, limits)
    if (limit === undefined) return
    clearInterval(timer)
    onExceeded(limit)
  }, intervalMs)
  return () => clearInterval(timer)
}

function findExceeded(leader: number, { processes, memoryBytes }: CommandLimits): LimitName | undefined {
  const ids = [String(leader)]
  for (let at = 0; at < ids.length; at++) {
    if (ids.length > processes) return 'processes'
    ids.push(...readChildren(ids[at]!))
  }
  const exceeds = (readBytes: (id: string) => number) => ids.reduce((sum, id) => sum + readBytes(id), 0) > memoryBytes
  return exceeds(readResident) && exceeds(readProportional) ? 'memory' : undefined
}

/** Memory that is not part of a file. Quick to read; pages that processes share since a fork count for each of them. */
function readResident(id: string): number {
  return toBytes(/^RssAnon:\s*(\d+)/m.exec(read(`/proc/${id}/status`))) ?? 0
}

/** The same with shared pages divided among those that share them. */
function readProportional(id: string): number {
  return toBytes(/^Pss_Anon:\s*(\d+)/m.exec(read(`/proc/${id}/smaps_rollup`))) ?? readResident(id)
}

function toBytes(found: RegExpExecArray | null): number | undefined {
  return found ? Number(found[1]) * 1024 : undefined
}

function readChildren(id: string): string[] {
  try {
    return readdirSync(`/proc/${id}/task`).flatMap((task) =>
      read(`/proc/${id}/task/${task}/children`)
        .split(' ')
        .filter((child) => child !== ''),
    )
  } catch {
    return []
  }
}

/** A process may end while it is looked at. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
