import { basename } from 'node:path'
import { isProgram } from './find-program.ts'

export interface Shell {
  readonly program: string
  /** Options, to be followed by the command as one argument. */
  readonly options: readonly string[]
  /** The user's own shell, if it is a different one that cannot be used. */
  readonly insteadOf?: string
}

/**
 * The user's own shell if it is a POSIX shell, without login and start-up files; otherwise `/bin/sh`. Rules parse
 * commands as POSIX shell syntax, so no other kind may run them. On Windows `cmd.exe`.
 */
export function chooseShell(
  shell: string | undefined,
  workingDirectory: string,
  platform: NodeJS.Platform = process.platform,
): Shell {
  if (platform === 'win32') return { program: 'cmd.exe', options: ['/d', '/s', '/c'] }
  const name = basename(shell ?? '')
  const options = Object.hasOwn(knownShells, name) ? knownShells[name] : undefined
  if (shell && options && isProgram(shell, workingDirectory)) return { program: shell, options }
  const isUnset = !shell || name === 'nologin' || name === 'false'
  return { program: '/bin/sh', options: ['-c', '--'], ...(!isUnset && { insteadOf: shell }) }
}

const knownShells: Record<string, readonly string[]> = {
  bash: ['--noprofile', '--norc', '-c', '--'],
  zsh: ['-f', '-c', '--'],
  sh: ['-c', '--'],
  dash: ['-c', '--'],
  ash: ['-c', '--'],
  ksh: ['-c', '--'],
  mksh: ['-c', '--'],
}
