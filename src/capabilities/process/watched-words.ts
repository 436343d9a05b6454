/** Runs words in a group that ends with this process: descriptor 3 is their lifeline. POSIX systems only. */
export function toWatchedWords(words: readonly string[]): string[] {
  return ['/bin/sh', '-c', watched, 'sh', ...words]
}

/**
 * Leaves a watcher in the group that reads from us. When this process ends, however suddenly, the watcher reads the end
 * of the pipe and kills the group. The command is an argument and never part of this script.
 */
const watched = `
(trap '' TERM HUP INT; exec </dev/null >/dev/null 2>&1; read -r end <&3; kill -KILL 0) &
exec 3<&-
exec "$@"
`
