import { readdirSync, readFileSync, statfsSync } from 'node:fs'
import type { CommandLimits, LimitName } from './limits.ts'

const intervalMs = 200

/**
 * Polls all descendants of a process until stopped, and reports the limit that they exceed together. The kernel limits
 * each process separately, and does not limit root's number of processes at all. Linux only.
 */
export function watchUsage(
  leader: number,
  limits: CommandLimits,
  onExceeded: (limit: LimitName) => void,
  everyMs = intervalMs,
): () => void {
  const ownDevices = new Set(listTemporary('self').map(({ device }) => device))
  const timer = setInterval(() => {
    const limit = findExceeded(leader, limits, ownDevices)
    if (limit === undefined) return
    clearInterval(timer)
    onExceeded(limit)
  }, everyMs).unref()
  return () => clearInterval(timer)
}

function findExceeded(
  leader: number,
  { processes, memoryBytes }: CommandLimits,
  ownDevices: ReadonlySet<string>,
): LimitName | undefined {
  const ids = [String(leader)]
  for (let at = 0; at < ids.length; at++) {
    if (ids.length > processes) return 'processes'
    ids.push(...readChildren(ids[at]!))
  }
  const { usedBytes, devices } = readTemporary(ids, ownDevices)
  const exceeds = (readBytes: (id: string) => number) =>
    ids.reduce((sum, id) => sum + readBytes(id), usedBytes) > memoryBytes
  return exceeds(readResident) && exceeds((id) => readProportional(id, devices)) ? 'memory' : undefined
}

/**
 * Memory that is not backed by a file on disk. Fast to read; shared pages count once per process, and mapped files of
 * temporary folders again.
 */
function readResident(id: string): number {
  const text = read(`/proc/${id}/status`)
  return toBytes(/^RssAnon:\s*(\d+)/m.exec(text)) + toBytes(/^RssShmem:\s*(\d+)/m.exec(text))
}

/** The same with shared pages divided among their users, and without files on these devices. */
function readProportional(id: string, devices: ReadonlySet<string>): number {
  const text = read(`/proc/${id}/smaps_rollup`)
  const anonymous = /^Pss_Anon:\s*(\d+)/m.exec(text)
  if (!anonymous) return readResident(id)
  const shared = toBytes(/^Pss_Shmem:\s*(\d+)/m.exec(text))
  return toBytes(anonymous) + (shared === 0 ? 0 : Math.max(0, shared - readMapped(id, devices)))
}

/** How much of a process is mapped from files on these devices. */
function readMapped(id: string, devices: ReadonlySet<string>): number {
  let bytes = 0
  let isCounted = false
  for (const line of read(`/proc/${id}/smaps`).split('\n')) {
    const device = /^[\da-f]+-[\da-f]+ \S+ \S+ ([\da-f]+:[\da-f]+) /.exec(line)?.[1]
    if (device !== undefined) isCounted = devices.has(device)
    else if (isCounted) bytes += toBytes(/^Pss:\s*(\d+)/.exec(line))
  }
  return bytes
}

/** What the sandbox's temporary folders contain together: they use memory, mapped or not. */
function readTemporary(
  ids: readonly string[],
  ownDevices: ReadonlySet<string>,
): { readonly usedBytes: number; readonly devices: ReadonlySet<string> } {
  // The first processes are bubblewrap, partly outside the sandbox, then the shell, which lives to the end.
  for (const id of ids.slice(0, 8)) {
    const mounts = new Map(
      listTemporary(id)
        .filter(({ device }) => !ownDevices.has(device))
        .map(({ device, path }) => [device, path]),
    )
    const used = [...mounts.values()].map((path) => readUsed(`/proc/${id}/root${path}`))
    if (used.some((bytes) => bytes !== undefined))
      return { usedBytes: used.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0), devices: new Set(mounts.keys()) }
  }
  return { usedBytes: 0, devices: new Set() }
}

/** Mount points of in-memory file systems, with the device as `smaps` writes it. */
function listTemporary(id: string): { readonly device: string; readonly path: string }[] {
  return read(`/proc/${id}/mountinfo`)
    .split('\n')
    .filter((line) => line.includes(' - tmpfs '))
    .map((line) => {
      const [, , device = '', , path = ''] = line.split(' ')
      return {
        device: device.split(':').map((number) => Number(number).toString(16).padStart(2, '0')).join(':'), // biome-ignore format: one line
        path: path.replace(/\\([0-7]{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8))),
      }
    })
}

function readUsed(path: string): number | undefined {
  try {
    const { bsize, blocks, bfree } = statfsSync(path)
    return (blocks - bfree) * bsize
  } catch {
    return undefined
  }
}

function toBytes(found: RegExpExecArray | null): number {
  return found ? Number(found[1]) * 1024 : 0
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

/** A process may exit while it is read. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
