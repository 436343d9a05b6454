import { lstatSync } from 'node:fs'

/**
 * Identifies the content of a file without reading it: replacing the file, writing to it or changing its permissions
 * changes the version. Undefined if there is no file.
 */
export function fileVersion(path: string): string | undefined {
  try {
    const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false })
    return stat && [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(' ')
  } catch (cause) {
    // The file may exist and be inaccessible: reading it reports why.
    return `unknown: ${(cause as NodeJS.ErrnoException).code}`
  }
}
