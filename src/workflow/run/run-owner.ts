import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

/** Owners of runs that live in this process. */
const living = new Set<string>()

/** Names this process as an owner of runs, so that others can find out whether it lives. */
export function openOwner(): { readonly name: string; close(): void } {
  const name = [toHost(), process.pid, readStart(process.pid) ?? 0, randomUUID()].join(' ')
  living.add(name)
  return { name, close: () => void living.delete(name) }
}

/** Whether the owner is known to have ended: a process of this machine that is gone, or whose id another process has now. */
export function isOwnerDead(name: string): boolean {
  const [host, id, start] = name.split(' ')
  if (host !== toHost()) return false
  const pid = Number(id)
  if (pid === process.pid) return !living.has(name)
  if (!isRunning(pid)) return true
  const now = readStart(pid)
  return now !== undefined && start !== '0' && start !== now
}

/** The machine since its last start: process ids mean nothing on another. Containers have host names of their own. */
function toHost(): string {
  return `${hostname()}/${readText('/proc/sys/kernel/random/boot_id')?.trim() ?? ''}`
}

/** When a process started, in ticks since the machine did. Undefined where the system does not tell. */
function readStart(pid: number): string | undefined {
  const stat = readText(`/proc/${pid}/stat`)
  // The name of the program, in parentheses, may contain anything.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // It belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
