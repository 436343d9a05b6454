import { isInside } from '../../policy/path.ts'
import type { GitDecision } from './git-command.ts'
import { findMetLimit, type LimitName } from './limits.ts'
import type { RunOutcome } from './run-command.ts'

const settings: { readonly [name in LimitName]: string } = {
  processes: 'processes',
  memory: 'memoryMb',
  'file size': 'fileMb',
}

/** How the sandbox may have caused the failure of a command, and what to do. */
export function toHints(
  { exitCode, limit, stderr: { text } }: Omit<RunOutcome, 'report'>,
  {
    workingDirectory,
    git,
    sandbox,
  }: { readonly workingDirectory: string; readonly git: GitDecision; readonly sandbox: string },
): string[] {
  if (exitCode === 0) return []
  // It has one error for everything that it denies.
  const isSeatbelt = sandbox === 'seatbelt'
  const met = limit ?? findMetLimit(exitCode, text)
  return [
    ...(met === undefined
      ? []
      : [
          `${limit ? 'It exceeded' : 'It may have hit'} the limit on ${met}. The operator can raise it: ${toSetting('sandboxLimits', `{ "${settings[met]}": … }`)}`,
        ]),
    ...(/Operation not permitted|EPERM/.test(text) && !isSeatbelt
      ? [
          `The sandbox denies Unix sockets, new namespaces, tracing and administrative system calls. The operator can allow Unix sockets: ${toSetting('sandboxUnixSockets', 'true')}`,
        ]
      : []),
    ...((isSeatbelt ? /Operation not permitted|EPERM/ : /Read-only file system|EROFS/).test(text)
      ? [
          `In the sandbox commands can write only the working directory, without .git and the settings of Toolpact in it. ${toGitAdvice(git)}`,
        ]
      : []),
    ...(/transport '.*' not allowed/.test(text)
      ? [
          'In the sandbox git pushes only over http, https, ssh and git: a repository on this machine would run its hooks. Ask the operator to push there',
        ]
      : []),
    ...((isSeatbelt ? /Operation not permitted|EPERM/ : /No such file or directory|ENOENT/).test(text) &&
    namesOther(text, workingDirectory)
      ? [
          `The sandbox shows the working directory, the system and toolchains, and nothing else. The operator can add a folder: ${toSetting('sandboxRead', '["/path"]')}`,
        ]
      : []),
  ]
}

function toGitAdvice({ access, reason }: GitDecision): string {
  if (access === 'read')
    return `Only git itself may write .git, and this command only reads it: ${reason}. Run git as a separate command, without pipes, redirection and other programs, with complete option names and patterns that start with ./ or a name; or ask the operator to run it`
  return 'Git itself may write .git, but not its hooks, and its config only with subcommands that record something there, such as git branch or git push -u'
}

function toSetting(name: string, value: string): string {
  return `"policy": { "${name}": ${value} }`
}

/** Whether a text names an absolute path that is not in the working directory. */
function namesOther(text: string, workingDirectory: string): boolean {
  const paths = text.slice(0, 10_000).match(/(?<![\w.~/-])\/[\w.@+-]+(?:\/[\w.@+-]+)*/g) ?? []
  return paths.some((path) => !isInside(workingDirectory, path, 'linux') && !system.test(path))
}

/** Shown to commands: what is missing there does not exist. */
const system = /^\/(?:usr|bin|sbin|lib\w*|etc|opt|dev|proc|sys)(?:\/|$)/
