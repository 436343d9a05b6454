import { findProgram } from '../../process/find-program.ts'
import { type CommandLimits, toLimitScript } from '../../process/limits.ts'
import { createMounts, temporaryFolders } from '../mounts.ts'
import type { GitUse, Sandbox, SandboxDriver, SandboxReport } from '../sandbox.ts'
import { explainFailure } from './explain-failure.ts'
import { runIdle } from './run-idle.ts'
import { isSupported, toSystemCallFilter } from './system-call-filter.ts'
import { toBubblewrapWords, withoutSizes } from './to-words.ts'

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
      const profile = {
        mounts,
        network: options.network,
        scratchBytes: Math.ceil(options.limits.memoryBytes / 2),
        sealed: home === undefined ? [] : [home],
        environment: { ...(home !== undefined && { HOME: home }), TMPDIR: '/tmp' },
        workingDirectory: options.workingDirectory,
      }
      return toBubblewrapWords(profile, words)
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
    const complaint = await runIdle(program, idle, input)
    if (complaint === undefined) return toSandbox((words) => words)
    if (/--size/.test(complaint) && (await runIdle(program, withoutSizes(idle), input)) === undefined)
      return toSandbox(withoutSizes)
    const { reason, suggestion } = explainFailure(complaint)
    return { reason, suggestion: `Ask the operator to ${suggestion}, or ${toAllow}.` }
  },
}

const toAllow = 'to allow commands without it ("policy": { "sandbox": "auto" })'

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
