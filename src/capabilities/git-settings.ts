import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readSmallFile } from './files/read-small-file.ts'
import { isExecutable } from './process/find-program.ts'

/** A setting of a git config, with its name in lower case, such as `filter.lfs.clean`. */
interface GitSetting {
  readonly name: string
  readonly value: string
}

const maxBytes = 1_000_000

/** The settings of a git directory, in file order. Includes are not followed. */
export function readGitSettings(directory: string): GitSetting[] {
  return ['config', 'config.worktree'].flatMap((name) =>
    parseSettings(readSmallFile(join(directory, name), { maxBytes, followLinks: true }) ?? ''),
  )
}

/** Programs that git runs because of a git directory: hooks, and settings that name a program. One line each. */
export function findGitPrograms(directory: string): string[] {
  const settings = readGitSettings(directory).filter(runsProgram)
  return [...settings.map(({ name, value }) => `${name} = ${value}`), ...findHooks(join(directory, 'hooks'))]
}

function runsProgram({ name, value }: GitSetting): boolean {
  if (name.startsWith('alias.') || (name.startsWith('submodule.') && name.endsWith('.update')))
    return value.startsWith('!')
  // With a boolean, git uses its built-in monitor.
  if (name === 'core.fsmonitor') return !/^(?:true|false|yes|no|on|off|[01]|)$/i.test(value)
  return value !== '' && programSettings.test(name)
}

const programSettings =
  /^(?:core\.(?:hookspath|sshcommand|pager|editor|askpass|gitproxy|alternaterefscommand)|pager\..+|sequence\.editor|interactive\.difffilter|(?:filter|diff|merge|difftool|mergetool|browser|man|trailer|tar|guitool)\..*\.(?:clean|smudge|process|command|textconv|driver|cmd)|diff\.external|credential\.(?:.*\.)?helper|gpg\.(?:.*\.)?(?:program|defaultkeycommand)|uploadpack\.packobjectshook|remote\..*\.(?:uploadpack|receivepack|vcs)|include\.path|includeif\..*\.path|init\.templatedir)$/

function findHooks(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => !name.endsWith('.sample') && isExecutable(join(folder, name)))
      .map((name) => `hooks/${name}`)
  } catch {
    return []
  }
}

function parseSettings(text: string): GitSetting[] {
  const settings: GitSetting[] = []
  let section = ''
  // A backslash at the end of a line continues it.
  for (const line of text.replace(/\\\r?\n/g, '').split('\n')) {
    const header = /^\s*\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line)
    if (header) section = [header[1]!, ...(header[2] === undefined ? [] : [header[2]])].join('.').toLowerCase()
    const rest = header ? line.slice(header[0].length) : line
    const [, key, value = ''] = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*(?:=(.*))?$/.exec(rest) ?? []
    if (key !== undefined) settings.push({ name: `${section}.${key.toLowerCase()}`, value: toValue(value) })
  }
  return settings
}

/** Without quotes and comments. */
function toValue(text: string): string {
  const parts = text.trim().match(/"(?:[^"\\]|\\.)*"|\\.|[^"\\#;]+|[#;].*$|["\\]/g) ?? []
  return parts
    .filter((part) => !/^[#;]/.test(part))
    .map((part) => part.replace(/^"(.*)"$/s, '$1').replace(/\\(["\\])/g, '$1'))
    .join('')
    .trim()
}
