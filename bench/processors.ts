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
    return [(user + system) / 1000, own, postmaster === undefined ? 0 : usedByTree(postmaster), usedByMachine()]
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
 */
export function watchOutside(): () => number {
  const before = read()
  return () => Math.max(0, read() - before)

  function read(): number {
    return process.platform === 'linux' ? usedByMachine('with stolen') - usedByTree(process.pid) : Number.NaN
  }
}

/** Includes processes that have ended: their parent keeps account. */
function usedByTree(root: number): number {
  const pids = readdirSync('/proc').map(Number).filter((pid) => pid > 0) // biome-ignore format: one line
  const all = new Map(pids.map((pid) => [pid, readStat(pid)]))
  const tree = [root]
  for (const above of tree) tree.push(...pids.filter((pid) => all.get(pid)!.parent === above))
  return tree.reduce((sum, pid) => sum + (all.get(pid)?.used ?? 0) + (all.get(pid)?.reaped ?? 0), 0)
}

function usedByMachine(stolen?: 'with stolen'): number {
  const [, user, nice, system, , , irq, softirq, steal] = readFileSync('/proc/stat', 'utf8').split('\n')[0]!.split(/\s+/).map(Number) // biome-ignore format: one line
  return (user! + nice! + system! + irq! + softirq! + (stolen ? steal! : 0)) * tickMs
}

function readStat(pid: number): { readonly parent: number; readonly used: number; readonly reaped: number } {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').map(Number)
    const [user, system, childUser, childSystem] = fields.slice(11, 15) as [number, number, number, number]
    return { parent: fields[1]!, used: (user + system) * tickMs, reaped: (childUser + childSystem) * tickMs }
  } catch {
    // It has ended.
    return { parent: 0, used: 0, reaped: 0 }
  }
}
