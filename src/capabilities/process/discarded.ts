import { type CommandLimits, toLimitScript } from './limits.ts'

/** Folders that a sandboxed command finds empty and may fill. They go when it ends. */
export const temporaryFolders = ['/tmp', '/var/tmp', '/run']

/** The last one need not exist outside. */
const watchedFolders = [...temporaryFolders, '/dev/shm']

/**
 * Runs a command inside the sandbox, within its limits, and reports on descriptor 3, which the command does not get, what is in those folders before and
 * after it: paths that each end in a NUL, and an empty one after each list. It has the command's exit code.
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

/** The paths that a command has left in those folders. Empty if it was ended before it could report. */
export function toDiscarded(report: string): string[] {
  const paths = report.split('\0')
  const end = paths.indexOf('')
  const before = new Set(paths.slice(0, end))
  return paths.slice(end + 1).filter((path) => path !== '' && !before.has(path))
}
