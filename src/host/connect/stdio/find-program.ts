import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, resolve } from 'node:path'

/** The file that a command of the operator's means, in the folder and by the search path that the server will have. */
export function findProgram(command: string, searchPath: string | undefined, folder: string): string | undefined {
  if (command === '' || command.includes('\0')) return undefined
  const candidates = /[/\\]/.test(command)
    ? [resolve(folder, command)]
    : (searchPath ?? '').split(delimiter).map((directory) => resolve(folder, directory, command))
  return candidates.find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
