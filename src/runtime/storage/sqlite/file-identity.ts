import { statSync } from 'node:fs'

/** Identity of the file at a path. Replacing, moving or deleting the file changes it. */
export interface FileIdentity {
  readonly dev: number
  readonly ino: number
}

export function identify(path: string): FileIdentity | undefined {
  return statSync(path, { throwIfNoEntry: false })
}

export function isSameFile(one: FileIdentity | undefined, other: FileIdentity | undefined): boolean {
  return one?.dev === other?.dev && one?.ino === other?.ino
}
