import { execFileSync } from 'node:child_process'
import { delimiter, join } from 'node:path'

/** A Node on the PATH that is too old for Toolpact; undefined if there is none. */
export function findOldNode(): string | undefined {
  return process.env.PATH?.split(delimiter)
    .map((directory) => join(directory, 'node'))
    .find((path) => {
      try {
        const version = execFileSync(path, ['-p', 'process.versions.node'], { encoding: 'utf8', stdio: 'pipe' })
        return Number.parseInt(version, 10) < 24
      } catch {
        return false
      }
    })
}
