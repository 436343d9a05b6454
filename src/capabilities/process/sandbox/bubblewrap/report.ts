import { type CommandLimits, toLimitScript } from '../../limits.ts'
import type { SandboxReport } from '../sandbox.ts'
import { temporaryFolders } from '../temporary-folders.ts'

/** `/dev/shm` may be missing outside the sandbox. */
const watchedFolders = [...temporaryFolders, '/dev/shm']

/**
 * A script that runs its arguments as a command, within the limits, and exits with its code. On descriptor 3, which the
 * command does not inherit, it lists the temporary folders before and after: NUL-terminated paths, with an empty one after
 * each list.
 */
export function toReportingScript(limits: CommandLimits): string {
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
