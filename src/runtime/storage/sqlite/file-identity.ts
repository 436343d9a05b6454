/** Identity of the file at a path. Replacing, moving or deleting the file changes it. */
export interface FileIdentity {
  readonly dev: number
  readonly ino: number
}

export function identify(path: string): FileIdentity | undefined {
  // Importing node:fs would also load its streams, which takes longer than everything else at start.
  return process.getBuiltinModule('node:fs').statSync(path, { throwIfNoEntry: false })
}

export function isSameFile(one: FileIdentity | undefined, other: FileIdentity | undefined): boolean {
  return one?.dev === other?.dev && one?.ino === other?.ino
}
