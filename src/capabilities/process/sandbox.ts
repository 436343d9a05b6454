import { spawn } from 'node:child_process'
import { existsSync, realpathSync, statSync } from 'node:fs'
import { isInside } from '../../policy/path.ts'
import { temporaryFolders } from './discarded.ts'
import { findProgram } from './find-program.ts'

/** Whether commands run in a sandbox, for prompts and results. */
export interface SandboxState {
  readonly state: 'active' | 'unavailable' | 'off'
  /** Why it is not active. */
  readonly reason?: string
  /** Whether a command reaches the network. */
  readonly network: boolean
}

export interface SandboxOptions {
  readonly workingDirectory: string
  readonly searchPath: string | undefined
  readonly network: boolean
  /** Absolute paths that a command finds empty. */
  readonly hidden: readonly string[]
  /** Real paths, and symlinks to them, that a command must not write even in the working directory. */
  readonly protectedPaths: readonly string[]
}

export interface Sandbox {
  readonly program: string
  /** To be followed by the program to run and its arguments. */
  readonly options: readonly string[]
}

/** A sandbox that was seen to work here, or why there is none. */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox | { readonly reason: string }> {
  if (process.platform !== 'linux') return { reason: 'bubblewrap runs on Linux only' }
  if (options.workingDirectory === '/') return { reason: 'the working directory is /, which cannot be set apart' }
  const program = findProgram('bwrap', options.searchPath, options.workingDirectory)
  if (!program) return { reason: 'bubblewrap is not installed' }
  const sandbox = { program, options: toOptions(options) }
  const complaint = await probe(sandbox)
  return complaint === undefined ? sandbox : { reason: `bubblewrap does not work here: ${complaint}` }
}

/** Everything read-only but the working directory; no other processes, no sockets of services, a /tmp of its own. */
function toOptions({ workingDirectory, network, hidden, protectedPaths }: SandboxOptions): string[] {
  const isRoot = process.getuid?.() === 0
  return [
    ...['--die-with-parent', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...(network ? [] : ['--unshare-net']),
    ...['--cap-drop', 'ALL'],
    // Root without these could not use a working directory that belongs to somebody else.
    ...(isRoot ? ['CAP_DAC_OVERRIDE', 'CAP_CHOWN', 'CAP_FOWNER'].flatMap((name) => ['--cap-add', name]) : []),
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    // Root may write kernel settings without any capability, and some of them run programs on the host.
    ...['--ro-bind', '/proc/sys', '/proc/sys', '--ro-bind-try', '/proc/sysrq-trigger', '/proc/sysrq-trigger'],
    ...temporaryFolders.filter(isRealPath).flatMap((path) => ['--tmpfs', path]),
    // Needed to find programs and, with the network, names.
    ...['/run/current-system', ...(network ? ['/run/systemd/resolve'] : [])].flatMap((path) => [
      '--ro-bind-try',
      path,
      path,
    ]),
    ...['--bind', workingDirectory, workingDirectory],
    ...protectedPaths.flatMap((path) => toReadOnly(path, workingDirectory)),
    ...hidden.flatMap(toHiding),
    ...['--setenv', 'TMPDIR', '/tmp', '--chdir', workingDirectory, '--'],
  ]
}

function isRealPath(path: string): boolean {
  return existsSync(path) && realpathSync(path) === path
}

/** Elsewhere nothing can be written anyway, and without a writable working directory no command would be of use. */
function toReadOnly(path: string, workingDirectory: string): string[] {
  const isBelow = path !== workingDirectory && isInside(workingDirectory, path, process.platform)
  return isBelow && isRealPath(path) ? ['--ro-bind', path, path] : []
}

function toHiding(path: string): string[] {
  if (!existsSync(path)) return []
  const real = realpathSync(path)
  return statSync(real).isDirectory() ? ['--tmpfs', real, '--remount-ro', real] : ['--ro-bind', '/dev/null', real]
}

/** What it says if it cannot run even `true`; undefined if it can. */
function probe({ program, options }: Sandbox): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(program, [...options, '/bin/sh', '-c', ':'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: 10_000,
    })
    let complaint = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (complaint.length < 300) complaint += text
    })
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code, signal) => {
      const [line = ''] = complaint.trim().split('\n')
      resolve(code === 0 ? undefined : line || `it ended with ${signal ?? code}`)
    })
  })
}
