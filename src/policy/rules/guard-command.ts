import { isFixed, literalPrefix, literalText, type Token } from './read-pattern.ts'

/**
 * Why the text of a command, as it stands in canonical JSON, asks although the rule matches it. What the rule itself
 * writes out may be anything; what only its wildcards match may hold plain words.
 */
export function guardCommand(text: string, pattern: readonly Token[]): string | undefined {
  // Literal characters are matched once each, so what there is more of was matched by a wildcard.
  if (count(text, shellCharacters) > count(literalText(pattern), shellCharacters))
    return 'the command has shell characters that the rule does not write out'
  if (count(text, optionStarts) > countOptionStarts(pattern))
    return 'the command has options that the rule does not write out'
  if (literalPrefix(pattern).length < commandEnd(text)) return 'the rule does not write out which command is run'
  if (ownCommand.test(text)) return 'the command would reach the rules themselves'
  return undefined
}

/** All that a shell reads as more than a word, here or on Windows; spaces other than the plain one; and quotes. */
const shellCharacters = /[;&|$`()<>#*?[\]{}~!\\'"^%]|[^\S ]/g

const optionStarts = /[ "]-/g

/** The place after the word that is run: past brackets, spaces and assignments such as `PATH=… `. */
function commandEnd(text: string): number {
  return /^\[?" *(?:[A-Za-z_]\w*\+?=[^ "]* +)*[^ "]+[ "]/.exec(text)?.[0].length ?? text.length
}

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
