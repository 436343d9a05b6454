import { findGitSubcommand, type GitSubcommand, isHarmlessSetting } from './git-subcommands.ts'

/** What a command may change in a git directory. */
export type GitAccess = 'read' | 'write' | 'write-config'

export interface GitDecision {
  readonly access: GitAccess
  /** Why it may only read, to report after a failure: part of a sentence. */
  readonly reason?: string
  /** Whether it pushes, which may run hooks of another local repository. */
  readonly pushes: boolean
}

/**
 * A command that runs only git may write the repository. Hooks stay read-only even then, as does the config unless a
 * subcommand records something in it. Everything else is read-only: a script that calls git, a pipe, a word that the
 * shell may expand to an option, and git with any option that is not known to run no other program.
 */
export function decideGitAccess(command: string): GitDecision {
  const commands = splitCommands(command)
  if (typeof commands === 'string') return { access: 'read', reason: commands, pushes: false }
  const uses = commands.map(toUse)
  const reason = uses.length === 0 ? 'it is empty' : uses.find((use) => typeof use === 'string')
  if (reason !== undefined) return { access: 'read', reason, pushes: false }
  const known = uses.filter((use) => typeof use !== 'string')
  return {
    access: known.some(({ writesConfig }) => writesConfig) ? 'write-config' : 'write',
    pushes: known.some(({ pushes }) => pushes),
  }
}

interface Use {
  readonly writesConfig: boolean
  readonly pushes: boolean
}

/** What a git command does to the repository, or why that is unknown. */
function toUse([program, ...words]: readonly string[]): Use | string {
  if (program !== 'git') return `it runs ${program}`
  while (words[0]?.startsWith('-')) {
    const option = words.shift()!
    if (option === '-C') words.shift()
    else if (option === '-c') {
      const [name = ''] = (words.shift() ?? '').split('=')
      if (!isHarmlessSetting(name)) return `it sets ${name}`
    } else if (!/^(?:--no-pager|-P|--no-optional-locks)$/.test(option)) return `it has the option ${option}`
  }
  const [name = '', ...rest] = words
  const subcommand = findGitSubcommand(name)
  if (!subcommand) return `git ${name} may run other programs`
  const { writesConfig, accepts, pushes } = subcommand
  const { options, operands, unknown } = readWords(rest, subcommand)
  if (unknown !== undefined) return `git ${name} with ${unknown} may run other programs`
  if (!accepts(operands, options)) return `git ${name} ${operands.join(' ')} may run other programs, or let git do so`
  return {
    writesConfig: typeof writesConfig === 'boolean' ? writesConfig : writesConfig.some((one) => options.includes(one)),
    pushes,
  }
}

interface ReadWords {
  readonly options: readonly string[]
  readonly operands: readonly string[]
  /**
   * The first word that may be an unlisted option. Words after `--` count too: it may itself be the value of an option.
   */
  readonly unknown?: string
}

function readWords(words: readonly string[], { options: known }: GitSubcommand): ReadWords {
  const options: string[] = []
  const operands: string[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    if (word === '--') continue
    if (!word.startsWith('-') || word === '-') {
      operands.push(word)
      continue
    }
    const names = word.startsWith('--') ? [word.split('=', 1)[0]!] : toLetters(word, known)
    if (!names.every((name) => known.has(name))) return { options, operands, unknown: word }
    options.push(...names)
    const isBare = word.startsWith('--') ? word === names[0] : word.length === names.length + 1
    if (isBare && known.get(names.at(-1)!) === 'separate') at++
  }
  return { options, operands }
}

/** The options in a word such as `-am`, up to one that takes the rest of the word as its value. */
function toLetters(word: string, known: GitSubcommand['options']): string[] {
  const letters = [...word.slice(1)].map((letter) => `-${letter}`)
  const last = letters.findIndex((name) => known.has(name) && known.get(name) !== 'none')
  return last < 0 ? letters : letters.slice(0, last + 1)
}

/** The words of each command in a list of simple commands, or why the shell may do more than run them. */
function splitCommands(text: string): string[][] | string {
  const commands: string[][] = [[]]
  const token = /(&&|\|\||;|\n)|[ \t]+|((?:[\w@%+=:,./~^{}*?-]|'[^']*'|"[^"$`\\]*")+)/y
  while (token.lastIndex < text.length) {
    const { lastIndex } = token
    const found = token.exec(text)
    if (!found) return `the shell gives ${JSON.stringify(text[lastIndex])} a special meaning`
    const [, separator, word] = found
    if (separator) commands.push([])
    if (!word) continue
    if (mayBecomeOption(word)) return `the shell may turn ${word} into options`
    commands.at(-1)!.push(word.replace(/'([^']*)'|"([^"]*)"/g, (_, single, double) => single ?? double))
  }
  return commands.filter((words) => words.length > 0)
}

/**
 * Braces expand to several words, except in revisions such as `stash@{0}`. A pattern expands to file names, which start
 * as the pattern does.
 */
function mayBecomeOption(word: string): boolean {
  const plain = word.replace(/'[^']*'|"[^"]*"/g, "''").replace(/[@^]\{[\w/-]*\}/g, '')
  return /[{}]/.test(plain) || (/[*?]/.test(plain) && !/^[\w.]/.test(plain))
}
