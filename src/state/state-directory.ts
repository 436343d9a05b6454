import { homedir } from 'node:os'
import { posix, win32 } from 'node:path'
import { ToolpactError } from '../contract/toolpact-error.ts'

type Environment = { readonly [name: string]: string | undefined }

/**
 * Where state is stored: outside any workspace, so that tools cannot reach it. Throws for a relative path, which would be
 * another directory in every folder.
 */
export function stateDirectory(environment: Environment, platform: NodeJS.Platform = process.platform): string {
  const { join } = platform === 'win32' ? win32 : posix
  const chosen = readAbsolute(environment, 'TOOLPACT_STATE_DIR', platform)
  if (chosen) return chosen
  if (platform === 'win32') {
    const base = readAbsolute(environment, 'LOCALAPPDATA', platform) ?? join(homedir(), 'AppData', 'Local')
    return join(base, 'toolpact', 'state')
  }
  const base = readAbsolute(environment, 'XDG_STATE_HOME', platform)
  if (base) return join(base, 'toolpact')
  return join(readAbsolute(environment, 'HOME', platform) ?? homedir(), '.local', 'state', 'toolpact')
}

/** An empty variable counts as unset. */
function readAbsolute(environment: Environment, name: string, platform: NodeJS.Platform): string | undefined {
  const value = environment[name]
  if (!value) return undefined
  const { isAbsolute } = platform === 'win32' ? win32 : posix
  if (!isAbsolute(value))
    throw new ToolpactError('invalid_option', `${name} is '${value}', a relative path. Set it to an absolute one.`)
  return value
}
