import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** A process, told from a later one that was given the same number. */
export interface ProcessId {
  readonly pid: number
  /** When it began, in whatever form the system tells; empty where it does not. */
  readonly began: string
}

export function processId(pid: number): ProcessId {
  return { pid, began: readBegin(pid) ?? '' }
}

/** Whether that very process still runs. One that has ended and was not yet buried does not. */
export function isSameProcess({ pid, began }: ProcessId): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  const now = readBegin(pid)
  return now !== undefined && (began === '' || now === began)
}

/** Undefined for a process that is gone. */
function readBegin(pid: number): string | undefined {
  try {
    if (process.platform === 'win32') return ''
    return process.platform === 'linux' ? readStat(pid) : askPs(pid)
  } catch {
    return undefined
  }
}

/** The time counts from the start of the system, so that it says nothing without that. */
function readStat(pid: number): string | undefined {
  // After the name, which may hold anything: the state, and as the twentieth field the time.
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
