/** Which file a path leads to. A file that was replaced, moved or deleted has another identity, or none. */
export interface FileIdentity {
  readonly dev: number
  readonly ino: number
}

export function identify(path: string): FileIdentity | undefined {
  // Importing node:fs would load its streams too, which takes longer than everything else at start.
  return process.getBuiltinModule('node:fs').statSync(path, { throwIfNoEntry: false })
}

export function isSameFile(one: FileIdentity | undefined, other: FileIdentity | undefined): boolean {
  return one?.dev === other?.dev && one?.ino === other?.ino
}
