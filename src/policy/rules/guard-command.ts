import { findRunner } from './command-runners.ts'
import { isFixed, literalPrefix, literalText, type Token } from './read-pattern.ts'

/**
 * Why the text of a command, as it stands in canonical JSON, asks although the rule matches it. What the rule itself
 * writes out may be anything; what only its wildcards match may hold plain words.
 */
export function guardCommand(
  text: string,
  pattern: readonly Token[],
  protectedPaths: readonly string[],
): string | undefined {
  if (text.length > maxCharacters) return 'the command is longer than anybody reads'
  // Literal characters are matched once each, so what there is more of was matched by a wildcard.
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

/** Whether the part of a pattern that is fixed from its beginning names the command, to the end of the word. */
export function namesCommand(prefix: string): boolean {
  return commandForm.test(prefix)
}

/**
 * Why arguments must not be left open: the program runs other programs or writes settings, by what its arguments say. Of
 * the text, which is canonical JSON, the first `fixed` characters are written out in the rule.
 */
export function findOpenRunner(text: string, fixed: number): string | undefined {
  for (const { 0: part, index } of text.matchAll(simpleCommand)) {
    // Written out to its end, it is one command, whatever it does.
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

/** What stands between characters that separate commands. A substitution is a command of its own. */
const simpleCommand = /[^;&|()`\n{}]+/g

/** All that a shell reads as more than a word, here or on Windows; spaces other than the plain one; and quotes. */
const shellCharacters = /[;&|$`()<>#*?[\]{}~!\\'"^%]|[^\S ]/g

const optionStarts = /[ "]-/g

/** The place after the word that is run: past brackets, spaces and assignments such as `PATH=… `. */
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
