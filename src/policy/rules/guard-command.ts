import { findRunner } from './command-runners.ts'
import { isFixed, literalPrefix, literalText, type Token } from './read-pattern.ts'

/**
 * Why a command (in canonical JSON) asks although the rule matches it. Text that the rule writes out can be anything; text that
 * its wildcards match must consist of plain words.
 */
export function guardCommand(
  text: string,
  pattern: readonly Token[],
  protectedPaths: readonly string[],
): string | undefined {
  if (text.length > maxCharacters) return 'the command is too long to review'
  // Each literal character matches once, so any surplus was matched by a wildcard.
  if (count(text, shellCharacters) > count(literalText(pattern), shellCharacters))
    return 'the command has shell characters that the rule does not write out'
  if (count(text, optionStarts) > countOptionStarts(pattern))
    return 'the command has options that the rule does not write out'
  if (literalPrefix(pattern).length < commandEnd(text)) return 'the rule does not write out which command is run'
  if (ownCommand.test(text) || protectedPaths.some((path) => text.includes(path)))
    return 'the command would reach the rules themselves'
  return pattern.every(isFixed) ? undefined : findOpenRunner(text, literalPrefix(pattern).length)
}

const maxCharacters = 16_384

/** Whether the literal prefix of a pattern contains the whole command word. */
export function namesCommand(prefix: string): boolean {
  return commandForm.test(prefix)
}

/**
 * Why arguments must not be left open: the program can run other programs or write settings, depending on them. The rule
 * writes out the first `fixed` characters of the text, which is canonical JSON.
 */
export function findOpenRunner(text: string, fixed: number): string | undefined {
  for (const { 0: part, index } of text.matchAll(simpleCommand)) {
    // Written out completely, it is one exact command.
    if (index + part.length < fixed) continue
    const words = [...part.matchAll(/[^ ",[\]]+/g)].map((word) => ({ text: word[0].replaceAll(/[\\']/g, ''), end: index + word.index + word[0].length })) // biome-ignore format: one line
    const at = words.findIndex(({ text }) => !/^[A-Za-z_]\w*\+?=/.test(text))
    const [program, subcommand] = at < 0 ? [] : words.slice(at)
    const runner = program && findRunner(program.text)
    if (!runner || (subcommand && runner.open.includes(subcommand.text) && subcommand.end <= fixed)) continue
    const pin = runner.open.length > 0 ? `, or a subcommand of these: ${runner.open.join(', ')}` : ''
    return `'${program.text}' ${runner.why}, so the rule must write out the whole command${pin}`
  }
  return undefined
}

/** Splits at command separators. A substitution is a separate command. */
const simpleCommand = /[^;&|()`\n{}]+/g

/** Shell metacharacters, also of Windows; whitespace other than a plain space; and quotes. */
const shellCharacters = /[;&|$`()<>#*?[\]{}~!\\'"^%]|[^\S ]/g

const optionStarts = /[ "]-/g

/** Position after the command word: skips brackets, spaces and assignments such as `PATH=… `. */
function commandEnd(text: string): number {
  return commandForm.exec(text)?.[0].length ?? text.length
}

const commandForm = /^\[?" *(?:[A-Za-z_]\w*\+?=[^ "]* +)*[^ "]+[ "]/

const ownCommand = /(?<![\w.-])toolpact(?:\.[a-z]+)?(?![\w./-])|toolpact[\\/].*rules\.json/i

function count(text: string, form: RegExp): number {
  return text.match(form)?.length ?? 0
}

function countOptionStarts(pattern: readonly Token[]): number {
  return pattern.filter((token, index) => {
    const next = pattern[index + 1]
    return next !== undefined && isFixed(token) && isFixed(next) && /^[ "]-$/.test(`${token.literal}${next.literal}`)
  }).length
}
