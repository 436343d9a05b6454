import { isInside } from '../../policy/path.ts'
import { findMetLimit, type LimitName } from './limits.ts'
import type { RunOutcome } from './run-command.ts'

const settings: { readonly [name in LimitName]: string } = {
  processes: 'processes',
  memory: 'memoryMb',
  'file size': 'fileMb',
}

/** What the sandbox has to do with the failure of a command, as far as can be told, and how to go on. */
export function toHints(
  { exitCode, limit, stderr: { text } }: Omit<RunOutcome, 'report'>,
  workingDirectory: string,
): string[] {
  if (exitCode === 0) return []
  const met = limit ?? findMetLimit(exitCode, text)
  return [
    ...(met === undefined
      ? []
      : [
          `${limit ? 'It exceeded' : 'It may have met'} the limit on ${met}. The operator can raise it: ${toSetting('sandboxLimits', `{ "${settings[met]}": … }`)}`,
        ]),
    ...(/Operation not permitted|EPERM/.test(text)
      ? [
          `The sandbox denies Unix sockets, new namespaces, tracing and administrative system calls. The operator can allow Unix sockets: ${toSetting('sandboxUnixSockets', 'true')}`,
        ]
      : []),
    ...(/Read-only file system|EROFS/.test(text)
      ? [
          'The sandbox lets commands write only the working directory, and neither settings of Toolpact nor .git in it. Only git itself may write .git: run it as a command of its own, without pipes, redirection and other programs',
        ]
      : []),
    ...(/No such file or directory|ENOENT/.test(text) && namesOther(text, workingDirectory)
      ? [
          `The sandbox shows the working directory, the system and toolchains, and nothing else. The operator can add a folder: ${toSetting('sandboxRead', '["/path"]')}`,
        ]
      : []),
  ]
}

function toSetting(name: string, value: string): string {
  return `"policy": { "${name}": ${value} }`
}

/** Whether a text names an absolute path that is not in the working directory. */
function namesOther(text: string, workingDirectory: string): boolean {
  const paths = text.slice(0, 10_000).match(/(?<![\w.~/-])\/[\w.@+-]+(?:\/[\w.@+-]+)*/g) ?? []
  return paths.some((path) => !isInside(workingDirectory, path, 'linux') && !system.test(path))
}

/** These are shown: what is missing there is missing. */
const system = /^\/(?:usr|bin|sbin|lib\w*|etc|opt|dev|proc|sys)(?:\/|$)/
