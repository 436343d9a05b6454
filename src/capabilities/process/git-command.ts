/** What a command may change in a git directory. */
export type GitAccess = 'read' | 'write' | 'write-config'

/**
 * A command that runs git and nothing else may write the repository. Hooks stay read-only even then, and so does the
 * config unless a subcommand records something there: hooks of the repository run meanwhile, and they may be anybody's
 * code. Everything else only reads: a script that calls git, a pipe, or git when it is told to run another program.
 */
export function toGitAccess(command: string): GitAccess {
  const commands = splitCommands(command)
  if (!commands || commands.length === 0) return 'read'
  const subcommands = commands.map(findSubcommand)
  if (subcommands.includes(undefined)) return 'read'
  return subcommands.some((name) => settingWriters.has(name!)) ? 'write-config' : 'write'
}

/** They record remotes, branches and submodules in the config. */
const settingWriters = new Set(
  'branch checkout clone config init lfs push remote sparse-checkout submodule switch worktree'.split(' '),
)

/** Subcommands and options that run a program named by the command. */
const runners = new Set('bisect difftool filter-branch instaweb mergetool'.split(' '))
const runnerOptions =
  /^(?:foreach|-x.*|--exec(?:=.*)?|--upload-pack(?:=.*)?|--receive-pack(?:=.*)?|--ext-diff|--template(?:=.*)?)$/

/** Settings for one command that name no program. */
const harmlessSetting =
  /^(?:user|author|committer|color|commit|advice|log|init\.defaultbranch|core\.(?:quotepath|autocrlf|abbrev))\b/i

/** The subcommand of a git command that runs no other program by request; undefined for any other command. */
function findSubcommand([program, ...words]: readonly string[]): string | undefined {
  if (program !== 'git') return undefined
  while (words[0]?.startsWith('-')) {
    const option = words.shift()!
    if (option === '-C') words.shift()
    else if (
      option === '-c'
        ? !harmlessSetting.test(words.shift() ?? '')
        : !/^(?:--no-pager|-P|--no-optional-locks)$/.test(option)
    )
      return undefined
  }
  const [subcommand, ...rest] = words
  if (subcommand === undefined || runners.has(subcommand) || rest.some((word) => runnerOptions.test(word)))
    return undefined
  return subcommand
}

/** The words of each command in a list of plain commands; undefined where a shell would do more than run them. */
function splitCommands(text: string): string[][] | undefined {
  const commands: string[][] = [[]]
  // A token is a separator, a blank, or a word of plain characters and quoted ones.
  const token = /(&&|\|\||;|\n)|[ \t\r]+|((?:[\w@%+=:,./~^{}*?-]|'[^']*'|"[^"$`\\]*")+)/y
  while (token.lastIndex < text.length) {
    const found = token.exec(text)
    if (!found) return undefined
    const [, separator, word] = found
    if (separator) commands.push([])
    if (word) commands.at(-1)!.push(word.replace(/'([^']*)'|"([^"]*)"/g, (_, single, double) => single ?? double))
  }
  return commands.filter((words) => words.length > 0)
}
