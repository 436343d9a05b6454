import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { type StdioAddress, UpstreamFailure } from '../client.ts'
import { findProgram } from './find-program.ts'
import { toServerEnvironment } from './server-environment.ts'

const shell = '/bin/sh'
const isWindows = process.platform === 'win32'

/**
 * Waits for the end of its input, which comes when we are gone, however that happens, and then ends its process group.
 * It ignores what it sends to the others, and has two seconds of patience with them. Each line that it reads is a number
 * of seconds: an install that is running then may take that long to finish. Once a child of the launcher has run for ten
 * of them, which is the server, it has finished.
 */
const watchdog = `trap "" TERM INT HUP
wait=0; while read -r line; do wait=$line; done
run=0; while [ "$wait" -gt 0 ] && [ "$run" -lt 10 ] && kill -0 "$1" 2>/dev/null; do
  sleep 1; wait=$((wait - 1)); child=; { read -r child < "/proc/$1/task/$1/children"; } 2>/dev/null
  if [ -n "$child" ]; then run=$((run + 1)); else run=0; fi
done
kill -TERM 0; sleep 2; kill -KILL 0`

/**
 * Starts the watchdog in the process group, then becomes the server. So there is no moment in which the server has none,
 * and the number of the group cannot be given to another while the watchdog lives. The server is not its parent: one
 * that waits for all its children would wait for ever. The words of the command are never read by the shell.
 */
const launch = '( exec "$0" -c "$1" toolpact-watchdog "$$" <&3 3<&- >/dev/null 2>&1 & ) ; shift; exec "$@" 3<&-'

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

/** Lets the watchdog wait this long for the end of an install, should we be gone before. Zero: it is over. */
export function letFinish({ stdio }: ChildProcess, ms: number): void {
  const watchdogInput = stdio[3]
  if (watchdogInput && 'write' in watchdogInput && !watchdogInput.destroyed)
    watchdogInput.write(`${Math.ceil(ms / 1000)}\n`)
}

/**
 * Leaves a process to its watchdog, and what it prints to somebody who reads it: a write to a closed pipe would end it.
 * Gives false where there is no watchdog.
 */
export function leaveBehind(child: ChildProcess): boolean {
  const { stdout, stderr, stdio } = child
  if (!stdio[3] || isWindows) return false
  for (const stream of [stdout!, stderr!]) {
    spawn(shell, ['-c', 'exec cat >/dev/null'], { detached: true, stdio: [stream, 'ignore', 'ignore'] }).unref()
    stream.destroy()
  }
  stdio[3].destroy()
  child.unref()
  return true
}

/** Signals a whole process group, so that what the server started goes with it. Nothing happens where it is gone. */
export function signalGroup(leader: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    // Windows has trees of processes instead, and no polite way to end one without a window.
    if (isWindows) execFile('taskkill', ['/pid', String(leader), '/t', '/f'], () => {})
    else process.kill(-leader, signal)
  } catch {}
}
