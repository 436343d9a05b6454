import { basename } from 'node:path'
import { isProgram } from './find-program.ts'

export interface Shell {
  readonly program: string
  /** To be followed by the command as one argument. */
  readonly options: readonly string[]
}

/** The user's own shell if it is a POSIX one, never as a login shell and without its start files; else `/bin/sh`. */
export function chooseShell(shell: string | undefined, workingDirectory: string): Shell {
  const name = basename(shell ?? '')
  const options = Object.hasOwn(knownShells, name) ? knownShells[name] : undefined
  if (shell && options && isProgram(shell, workingDirectory)) return { program: shell, options }
  return { program: '/bin/sh', options: ['-c', '--'] }
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
