import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { type StdioAddress, UpstreamFailure } from '../client.ts'
import { findProgram } from './find-program.ts'
import { toServerEnvironment } from './server-environment.ts'

const shell = '/bin/sh'
const isWindows = process.platform === 'win32'

/**
 * Waits for the end of its input, which comes when we are gone, however that happens, and then ends its process group.
 * It ignores what it sends to the others, and has two seconds of patience with them.
 */
const watchdog = 'trap "" TERM INT HUP; read -r line; kill -TERM 0; sleep 2; kill -KILL 0'

/**
 * Starts the watchdog in the process group, then becomes the server. So there is no moment in which the server has none,
 * and the number of the group cannot be given to another while the watchdog lives. The server is not its parent: one
 * that waits for all its children would wait for ever. The words of the command are never read by the shell.
 */
const launch = '( exec "$0" -c "$1" toolpact-watchdog <&3 3<&- >/dev/null 2>&1 & ) ; shift; exec "$@" 3<&-'

/**
 * Starts a server as the leader of a process group of its own. Where there is no `sh` (Windows), it has no watchdog: it
 * ends when we close it, and when it sees the end of its input, but a SIGKILL of ours can leave it behind.
 */
export function startProcess({ command, args, env, cwd = process.cwd() }: StdioAddress): Promise<ChildProcess> {
  const environment = toServerEnvironment(env)
  if (!isFolder(cwd))
    throw new UpstreamFailure('unavailable', `There is no folder ${cwd} to start the server in. Correct "cwd".`)
  const program = findProgram(command, environment.PATH, cwd)
  if (program === undefined && !isWindows) {
    const message = `There is no program ${JSON.stringify(command)}. Install it, or correct "command" in the config.`
    throw new UpstreamFailure('unavailable', message)
  }
  const options = { cwd, env: environment, detached: !isWindows, windowsHide: true } as const
  const child = existsSync(shell)
    ? spawn(shell, ['-c', launch, shell, watchdog, program!, ...args], {
        ...options,
        stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
      })
    : spawn(program ?? command, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] })
  return new Promise((resolve, reject) => {
    child.once('spawn', () => resolve(child))
    child.once('error', (cause) => {
      reject(new UpstreamFailure('unavailable', `The server could not be started: ${cause.message}.`, { cause }))
    })
  })
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** Signals a whole process group, so that what the server started goes with it. Nothing happens where it is gone. */
export function signalGroup(leader: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    // Windows has trees of processes instead, and no polite way to end one without a window.
    if (isWindows) execFile('taskkill', ['/pid', String(leader), '/t', '/f'], () => {})
    else process.kill(-leader, signal)
  } catch {}
}
