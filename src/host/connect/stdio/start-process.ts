import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { delimiter, resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { type StdioAddress, UpstreamFailure } from '../client.ts'
import type { PreparedProcess, ServerCommand } from '../confinement.ts'

/** The variables that programs need to run and to find their files. All others may be secrets, and are not inherited. */
const inherited =
  process.platform === 'win32'
    ? ['APPDATA', 'HOMEDRIVE', 'HOMEPATH', 'LOCALAPPDATA', 'PATH', 'PATHEXT', 'PROCESSOR_ARCHITECTURE', 'PROGRAMDATA', 'PROGRAMFILES', 'SYSTEMDRIVE', 'SYSTEMROOT', 'TEMP', 'TMP', 'USERNAME', 'USERPROFILE'] // biome-ignore format: one line
    : ['HOME', 'LANG', 'LC_ALL', 'LC_CTYPE', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'USER', 'XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_RUNTIME_DIR', 'XDG_STATE_HOME'] // biome-ignore format: one line

/** Custom certificate authorities: behind a TLS proxy, npx and uvx could download nothing without them. */
const authorities = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_DIR', 'SSL_CERT_FILE']

const shell = '/bin/sh'
const isWindows = process.platform === 'win32'

/**
 * Waits for the end of its input, which comes when this process exits for any reason, and then ends the process group: it
 * sends SIGTERM, which it ignores itself, and SIGKILL two seconds later. Each line that it reads is a number of seconds:
 * a running install gets this long to finish. It counts as finished once a child of the launcher, which is the server, has
 * run for ten seconds.
 */
const watchdog = `trap "" TERM INT HUP
wait=0; while read -r line; do wait=$line; done
run=0; while [ "$wait" -gt 0 ] && [ "$run" -lt 10 ] && kill -0 "$1" 2>/dev/null; do
  sleep 1; wait=$((wait - 1)); child=; { read -r child < "/proc/$1/task/$1/children"; } 2>/dev/null
  if [ -n "$child" ]; then run=$((run + 1)); else run=0; fi
done
kill -TERM 0; sleep 2; kill -KILL 0`

/**
 * Starts the watchdog in the process group, then execs the server. So the server never runs without a watchdog, and the
 * group id cannot be reused while the watchdog lives. The watchdog is not a child of the server, because a server that
 * waits for all its children would never exit. The shell never parses the command.
 */
const launch =
  '( exec "$0" -c "$1" toolpact-watchdog "$$" <&3 3<&- 4<&- 5<&- >/dev/null 2>&1 & ) ; shift; exec "$@" 3<&-'

/**
 * The command of a server, with its program and environment. Throws an `UpstreamFailure` if it cannot be run. `isInImage`: its
 * program is found elsewhere.
 */
export function toCommand({ command, args, env, cwd = process.cwd() }: StdioAddress, isInImage = false): ServerCommand {
  const environment = toServerEnvironment(env)
  if (!isFolder(cwd))
    throw new UpstreamFailure(
      'unavailable',
      `The working directory ${cwd} does not exist. Correct "cwd" in the config.`,
    )
  const program = findProgram(command, environment.PATH, cwd)
  if (program === undefined && !isWindows && !isInImage) {
    const message = `There is no program ${JSON.stringify(command)}. Install it, or correct "command" in the config.`
    throw new UpstreamFailure('unavailable', message)
  }
  return { command, program: program ?? command, args, environment, cwd }
}

/**
 * Starts a server as the leader of a new process group. Without `sh` (Windows) there is no watchdog: the server ends when
 * it is closed or sees the end of its input, but may survive if this process is killed.
 */
export function startProcess(command: ServerCommand, prepared?: PreparedProcess): Promise<ChildProcess> {
  const { program, args, environment, cwd } = prepared ? toPreparedCommand(prepared) : command
  const options = { cwd, env: environment, detached: !isWindows, windowsHide: true } as const
  const child = existsSync(shell)
    ? spawn(shell, ['-c', launch, shell, watchdog, program, ...args], { ...options, stdio: toStdio(prepared) })
    : spawn(program, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] })
  if (prepared?.filter) (child.stdio[4] as Writable).on('error', () => {}).end(prepared.filter)
  return new Promise((resolve, reject) => {
    child.once('spawn', () => resolve(child))
    child.once('error', (cause) => {
      reject(new UpstreamFailure('unavailable', `The server could not be started: ${cause.message}.`, { cause }))
    })
  })
}

function toPreparedCommand({ program, arguments: args, environment, workingDirectory }: PreparedProcess) {
  return { program, args, environment, cwd: workingDirectory }
}

/** Descriptor 3 is the watchdog's. */
function toStdio(prepared: PreparedProcess | undefined): ('pipe' | 'ignore' | 'ipc')[] {
  const base: ('pipe' | 'ignore' | 'ipc')[] = ['pipe', 'pipe', 'pipe', 'pipe']
  if (!prepared) return base
  return [...base, prepared.filter ? 'pipe' : 'ignore', ...(prepared.sendsListeners ? (['ipc'] as const) : [])]
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** How long the watchdog waits for an install to finish if this process exits first. Zero: the install is done. */
export function letFinish({ stdio }: ChildProcess, ms: number): void {
  const watchdogInput = stdio[3]
  if (watchdogInput && 'write' in watchdogInput && !watchdogInput.destroyed)
    watchdogInput.write(`${Math.ceil(ms / 1000)}\n`)
}

/**
 * Leaves a process to its watchdog. `cat` keeps reading its output, since a write to a closed pipe would end it. Returns
 * false if there is no watchdog.
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

/** Signals a whole process group, including the children of the server. No-op if it has exited. */
export function signalGroup(leader: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    // Windows has process trees instead, and no graceful way to end a process without a window.
    if (isWindows) execFile('taskkill', ['/pid', String(leader), '/t', '/f'], () => {})
    else process.kill(-leader, signal)
  } catch {}
}

/** Resolves a command in the working directory and with the PATH of the server. */
function findProgram(command: string, searchPath: string | undefined, folder: string): string | undefined {
  if (command === '' || command.includes('\0')) return undefined
  const candidates = /[/\\]/.test(command)
    ? [resolve(folder, command)]
    : (searchPath ?? '').split(delimiter).map((directory) => resolve(folder, directory, command))
  return candidates.find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** The environment of a server: a few inherited variables, and those of its config entry. */
function toServerEnvironment(own: { readonly [name: string]: string }): { [name: string]: string } {
  const environment: { [name: string]: string } = {}
  for (const name of [...inherited, ...authorities]) {
    const value = process.env[name]
    // Bash exports functions this way.
    if (value !== undefined && !value.startsWith('()')) environment[name] = value
  }
  return { ...environment, ...own }
}
