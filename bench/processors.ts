import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const tickMs = 10

interface Usage {
  /** Of this process, which makes the load. */
  readonly client: number
  /** Of the servers. */
  readonly servers: number
  readonly postgres: number
  /** Of everything else on the machine. */
  readonly others: number
}

/** CPU time in ms since it was called. NaN where the system does not report it. */
export function watchProcessors(servers: readonly number[], postmaster?: number): () => Usage {
  const before = read()
  return () => {
    const now = read()
    const [client, own, postgres, all] = now.map((value, index) => value - before[index]!) as [number, number, number, number] // biome-ignore format: one line
    return { client, servers: own, postgres, others: Math.max(0, all - client - own - postgres) }
  }

  function read(): number[] {
    if (process.platform !== 'linux') return [Number.NaN, Number.NaN, Number.NaN, Number.NaN]
    const { user, system } = process.cpuUsage()
    const own = servers.map((pid) => readStat(pid).used).reduce((sum, used) => sum + used, 0)
    return [(user + system) / 1000, own, postmaster === undefined ? 0 : usedByTree(postmaster), usedByMachine().used]
  }
}

export function memoryOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

/** The process id of the server whose data are in this folder. */
export function readPostmaster(directory: string): number {
  return Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0])
}

/**
 * CPU time in ms, since it was called, of processes that are not below this one, and that the host of a virtual machine
 * gave to others. NaN where the system does not report it.
 *
 * The kernel's threads are left out, since most of their work is done for the processes measured. So are processes that
 * ended after their parent: the system counts them as work of its first process, and those of a sandbox are among them.
 */
export function watchOutside(): () => number {
  if (process.platform !== 'linux') return () => Number.NaN
  const before = readOutside()
  return () => {
    const now = readOutside()
    let sum = now.stolen - before.stolen
    for (const [pid, used] of now.used) sum += used - (before.used.get(pid) ?? 0)
    return Math.max(0, sum)
  }
}

const firstProcess = 1
const kernelThreads = 2

function readOutside(): { readonly stolen: number; readonly used: ReadonlyMap<number, number> } {
  const all = readProcesses()
  const own = new Set([...treeOf(process.pid, all), ...treeOf(kernelThreads, all)])
  const used = new Map<number, number>()
  for (const [pid, stat] of all)
    if (!own.has(pid) && !stat.hasEnded) used.set(pid, stat.used + (pid === firstProcess ? 0 : stat.reaped))
  return { stolen: usedByMachine().stolen, used }
}

/** Includes processes that have ended: their parent keeps account. */
function usedByTree(root: number): number {
  const all = readProcesses()
  return treeOf(root, all).reduce((sum, pid) => sum + (all.get(pid)?.used ?? 0) + (all.get(pid)?.reaped ?? 0), 0)
}

function readProcesses(): Map<number, Stat> {
  const pids = readdirSync('/proc').map(Number).filter((pid) => pid > 0) // biome-ignore format: one line
  return new Map(pids.map((pid) => [pid, readStat(pid)]))
}

function treeOf(root: number, all: ReadonlyMap<number, Stat>): number[] {
  const tree = [root]
  for (const above of tree) for (const [pid, { parent }] of all) if (parent === above) tree.push(pid)
  return tree
}

function usedByMachine(): { readonly used: number; readonly stolen: number } {
  const [, user, nice, system, , , irq, softirq, steal] = readFileSync('/proc/stat', 'utf8').split('\n')[0]!.split(/\s+/).map(Number) // biome-ignore format: one line
  return { used: (user! + nice! + system! + irq! + softirq!) * tickMs, stolen: steal! * tickMs }
}

interface Stat {
  readonly parent: number
  readonly used: number
  /** Of its children that have ended. */
  readonly reaped: number
  readonly hasEnded: boolean
}

function readStat(pid: number): Stat {
  try {
    const [state, ...rest] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    const [parent] = rest.map(Number)
    const [user, system, childUser, childSystem] = rest.slice(10, 14).map(Number) as [number, number, number, number]
    return {
      parent: parent!,
      used: (user + system) * tickMs,
      reaped: (childUser + childSystem) * tickMs,
      hasEnded: state === 'Z',
    }
  } catch {
    // It has ended.
    return { parent: 0, used: 0, reaped: 0, hasEnded: true }
  }
}
