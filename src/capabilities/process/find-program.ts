import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { isInside } from '../../policy/path.ts'

/** Finds a program on a search path. The working directory is untrusted and skipped. */
export function findProgram(
  name: string,
  searchPath: string | undefined,
  workingDirectory: string,
): string | undefined {
  return (searchPath ?? '')
    .split(delimiter)
    .filter(isAbsolute)
    .map((directory) => join(directory, name))
    .find((path) => isProgram(path, workingDirectory))
}

export function isProgram(path: string, workingDirectory: string): boolean {
  return isAbsolute(path) && !isInside(workingDirectory, path, process.platform) && isExecutable(path)
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
