import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Identifies a process, even if its id is later reused. */
export interface ProcessId {
  readonly pid: number
  /** Its start time in the system's own format; empty if unknown. */
  readonly began: string
}

export function processId(pid: number): ProcessId {
  return { pid, began: readBegin(pid) ?? '' }
}

/** Whether exactly this process still runs. Zombies do not count. */
export function isSameProcess({ pid, began }: ProcessId): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  const now = readBegin(pid)
  return now !== undefined && (began === '' || now === began)
}

/** Undefined if the process has exited. */
function readBegin(pid: number): string | undefined {
  try {
    if (process.platform === 'win32') return ''
    return process.platform === 'linux' ? readStat(pid) : askPs(pid)
  } catch {
    return undefined
  }
}

/** The start time counts from boot, so the boot id belongs to it. */
function readStat(pid: number): string | undefined {
  // The fields after the name, which may contain anything: first the state, and start time as the twentieth.
  const [state, ...fields] = readFileSync(`/proc/${pid}/stat`, 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ')
  if (state === 'Z' || state === 'X') return undefined
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()} ${fields[18]}`
}

function askPs(pid: number): string | undefined {
  const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' }
  const line = execFileSync('ps', ['-o', 'stat=', '-o', 'lstart=', '-p', String(pid)], {
    encoding: 'utf8',
    timeout: 5000,
    env,
  })
  const [, state = 'Z', began] = /^\s*(\S+)\s+(.+?)\s*$/.exec(line) ?? []
  return state.startsWith('Z') ? undefined : began
}
