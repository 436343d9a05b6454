import { spawn } from 'node:child_process'
import { readlinkSync, statSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { findProgram } from '../../find-program.ts'
import { type CommandLimits, toLimitScript } from '../../limits.ts'
import { createMounts, type Mount, temporaryFolders } from '../mounts.ts'
import type { GitUse, Sandbox, SandboxDriver, SandboxOptions, SandboxReport } from '../sandbox.ts'
import { isSupported, toSystemCallFilter } from './system-call-filter.ts'

/** `/dev/shm` may be missing outside the sandbox. */
const watchedFolders = [...temporaryFolders, '/dev/shm']

/**
 * Confines commands with Linux namespaces, a seccomp filter (descriptor 4) and rlimits. Inside, a POSIX shell sets the
 * limits, runs the command and reports on descriptor 3.
 */
export const bubblewrap: SandboxDriver = {
  name: 'bubblewrap',
  async open(options) {
    if (process.platform !== 'linux')
      return {
        reason: 'bubblewrap runs on Linux only',
        suggestion: `Ask the operator to run Toolpact on Linux, for example in a container, or ${toAllow}.`,
      }
    if (options.workingDirectory === '/')
      return {
        reason: 'the working directory is /, which cannot be set apart',
        suggestion: 'Ask the operator to start Toolpact in the folder of a project.',
      }
    const program = findProgram('bwrap', options.searchPath, options.workingDirectory)
    if (!program)
      return {
        reason: 'bubblewrap is not installed',
        suggestion: `Ask the operator to install bubblewrap (apt-get install bubblewrap) or ${toAllow}.`,
      }
    const { arch } = process
    if (!isSupported(arch))
      return { reason: `there is no system call filter for ${arch}`, suggestion: `Ask the operator ${toAllow}.` }
    const input = toSystemCallFilter(arch, options)
    const toMounts = createMounts(options)
    const toArguments = (words: readonly string[], git: GitUse) => {
      const { mounts, home } = toMounts(git)
      return [
        ...toNamespaces(options),
        ...mounts.flatMap((mount) => toMountWords(mount, options.limits)),
        ...(home === undefined ? [] : ['--remount-ro', home, '--setenv', 'HOME', home]),
        // Both are file systems in memory whose size is not limited.
        ...['--remount-ro', '/dev', '--remount-ro', '/'],
        ...['--seccomp', '4', '--setenv', 'TMPDIR', '/tmp', '--chdir', options.workingDirectory, '--'],
        ...words,
      ]
    }
    const toSandbox = (adapt: (words: string[]) => string[]): Sandbox => ({
      name: 'bubblewrap',
      confine(words, git) {
        const reporting = ['/bin/sh', '-c', toReportingScript(options.limits), 'sh', ...words]
        return { program, arguments: adapt(toArguments(reporting, git)), descriptor: 'report', input }
      },
      readReport,
    })
    // Without the limits of commands: one that is too low must not switch the sandbox off.
    const idle = toArguments(['/bin/sh', '-c', ':'], { access: 'read', directories: [] })
    const complaint = await probe(program, idle, input)
    if (complaint === undefined) return toSandbox((words) => words)
    // Before 0.7 there is no --size: a temporary folder may take half of the machine's memory.
    if (/--size/.test(complaint) && (await probe(program, withoutSizes(idle), input)) === undefined)
      return toSandbox(withoutSizes)
    return {
      reason: `bubblewrap does not work here: ${complaint}`,
      suggestion: `Ask the operator to make \`bwrap --unshare-all --ro-bind / / true\` work, which needs user namespaces, or ${toAllow}.`,
    }
  },
}

const toAllow = 'to allow commands without it ("policy": { "sandbox": "auto" })'

/** No other processes and their memory, no network, and no privileges. */
function toNamespaces({ network }: SandboxOptions): string[] {
  const isRoot = process.getuid?.() === 0
  return [
    ...['--die-with-parent', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...(network ? [] : ['--unshare-net']),
    ...['--cap-drop', 'ALL'],
    // Without these, root could not use a working directory that another user owns.
    ...(isRoot ? ['CAP_DAC_OVERRIDE', 'CAP_CHOWN', 'CAP_FOWNER'].flatMap((name) => ['--cap-add', name]) : []),
  ]
}

function toMountWords({ path, as }: Mount, { memoryBytes }: CommandLimits): string[] {
  switch (as) {
    case 'readable':
      return ['--ro-bind-try', path, path]
    case 'link':
      return ['--symlink', readlinkSync(path), path]
    case 'writable':
      return ['--bind', path, path]
    case 'scratch':
      // Each folder may take this much; `watchUsage` counts all of them towards the memory of the command.
      return ['--size', String(Math.ceil(memoryBytes / 2)), '--tmpfs', path]
    case 'protected':
      return ['--ro-bind', path, path]
    case 'hidden':
      return statSync(path).isDirectory() ? ['--tmpfs', path, '--remount-ro', path] : ['--ro-bind', '/dev/null', path]
    case 'devices':
      return ['--dev', path]
    case 'processes':
      return ['--proc', path]
  }
}

/** Leaves the command after `--` alone. */
function withoutSizes(words: string[]): string[] {
  const end = words.indexOf('--')
  return words.filter((word, index) => index > end || (word !== '--size' && words[index - 1] !== '--size'))
}

/** Returns the first line of what bubblewrap complains about, or undefined if it works. */
function probe(program: string, words: readonly string[], input: Buffer): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(program, words, { stdio: ['ignore', 'ignore', 'pipe', 'ignore', 'pipe'], timeout: 10_000 })
    const filter = child.stdio[4] as Writable
    filter.on('error', () => {}).end(input)
    let complaint = ''
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      if (complaint.length < 300) complaint += text
    })
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code, signal) => {
      const [line = ''] = complaint.trim().split('\n')
      resolve(code === 0 ? undefined : line || `it ended with ${signal ?? code}`)
    })
  })
}

/**
 * A script that runs its arguments as a command, within the limits, and exits with its code. On descriptor 3, which the
 * command does not inherit, it lists the temporary folders before and after: NUL-terminated paths, with an empty one after
 * each list.
 */
function toReportingScript(limits: CommandLimits): string {
  return `
list() {
  for path in ${watchedFolders.flatMap((folder) => [`${folder}/*`, `${folder}/.[!.]*`]).join(' ')}; do
    if [ -e "$path" ] || [ -L "$path" ]; then printf '%s\\0' "$path"; fi
  done
  printf '\\0'
}
list >&3
${toLimitScript(limits)}
"$@" 3>&-
status=$?
list >&3
exit $status
`
}

/** Nothing is discarded as far as known if the command was killed before the script could report. */
export function readReport(report: string): SandboxReport {
  const paths = report.split('\0')
  const end = paths.indexOf('')
  const before = new Set(paths.slice(0, end))
  return { discarded: paths.slice(end + 1).filter((path) => path !== '' && !before.has(path)) }
}
