import { temporaryFolders } from '../system-folders.ts'

/** `/dev/shm` may be missing outside the sandbox. */
const watchedFolders = [...temporaryFolders, '/dev/shm']

/**
 * A script that runs its arguments as a command and exits with its code. On descriptor 3, which the command does not inherit,
 * it lists the temporary folders before and after: NUL-terminated paths, with an empty one after each list.
 */
export function toReportingScript(): string {
  return `
list() {
  for path in ${watchedFolders.flatMap((folder) => [`${folder}/*`, `${folder}/.[!.]*`]).join(' ')}; do
    if [ -e "$path" ] || [ -L "$path" ]; then printf '%s\\0' "$path"; fi
  done
  printf '\\0'
}
list >&3
"$@" 3>&-
status=$?
list >&3
exit $status
`
}

/** The paths that the command created. None is known if it was killed before the script could report. */
export function readReport(report: string): string[] {
  const paths = report.split('\0')
  const end = paths.indexOf('')
  const before = new Set(paths.slice(0, end))
  return paths.slice(end + 1).filter((path) => path !== '' && !before.has(path))
}
