import { basename } from 'node:path'
import { isProgram } from './find-program.ts'

/** Message of cmd.exe, which exits with 1 or 9009. */
const notRecognized = /^'(.{1,300})' is not recognized as an internal or external command/m

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

/** The program that a shell did not find, if it exited because of that. */
export function findMissingCommand(
  exitCode: number | null,
  complaint: string,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  if (platform === 'win32') return exitCode === 0 ? undefined : notRecognized.exec(complaint)?.[1]
  if (exitCode !== 127) return undefined
  const line = complaint.trimEnd().split('\n').at(-1) ?? ''
  // Messages of zsh, then of sh and bash. If a folder on the path is unreadable, dash reports "Permission denied".
  return (/command not found: (.+)$/.exec(line) ??
    /([^\s:]+): (?:(?:command )?not found|Permission denied)$/.exec(line))?.[1]
}
