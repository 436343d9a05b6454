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
  if (text.length > mostCharacters) return 'the command is longer than anybody reads'
  // Literal characters are matched once each, so what there is more of was matched by a wildcard.
  if (count(text, shellCharacters) > count(literalText(pattern), shellCharacters))
    return 'the command has shell characters that the rule does not write out'
  if (count(text, optionStarts) > countOptionStarts(pattern))
    return 'the command has options that the rule does not write out'
  if (literalPrefix(pattern).length < commandEnd(text)) return 'the rule does not write out which command is run'
  if (ownCommand.test(text) || protectedPaths.some((path) => text.includes(path)))
    return 'the command would reach the rules themselves'
  return undefined
}

const mostCharacters = 16_384

/** Whether the part of a pattern that is fixed from its beginning names the command, to the end of the word. */
export function namesCommand(prefix: string): boolean {
  return commandForm.test(prefix)
}

/** Words whose arguments are commands, programs or other machines: their arguments are not just arguments. */
export function runsOtherCommands(word: string): boolean {
  const name = word.replace(/^.*[\\/]/, '').replace(/[\d.]*\d$|\.exe$/i, '')
  return wrappers.has(name.toLowerCase()) || word.includes('=')
}

const wrappers = new Set(
  (
    'sh bash zsh dash fish ksh cmd powershell pwsh env sudo doas su runuser exec eval command builtin source . xargs parallel ' +
    'nohup nice ionice time timeout setsid stdbuf watch script chroot unshare nsenter ssh docker podman kubectl ' +
    'node deno bun tsx npx bunx pnpx uvx pipx python perl ruby php lua awk gawk sed find make busybox toolpact'
  ).split(' '),
)

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
