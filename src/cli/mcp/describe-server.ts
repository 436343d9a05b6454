import type { JsonObject } from '../../contract/json.ts'
import { printable } from '../../contract/text/printable.ts'
import { shorten } from '../../contract/text/shorten.ts'
import { findCodeVariables } from '../../policy/code-variables.ts'
import { isSecretName } from '../../policy/secret-name.ts'
import { findSecrets } from '../../policy/secrets.ts'
import type { Request } from '../options/command.ts'
import { confirm } from '../terminal/prompt/confirm.ts'
import { type Line, paint } from '../terminal/terminal.ts'

/** The parts of an `mcpServers` entry that locate the server. */
export interface Reached {
  readonly command?: string | undefined
  readonly args?: readonly string[] | undefined
  readonly env?: { readonly [name: string]: string } | undefined
  readonly url?: string | undefined
  readonly headers?: { readonly [name: string]: string } | undefined
  readonly type?: string | undefined
}

export function toTransport({ url, type }: Reached): 'stdio' | 'http' | 'sse' {
  if (url === undefined) return 'stdio'
  return type === 'sse' ? 'sse' : 'http'
}

/** Describes a server on one line, with secrets hidden. */
export function describeServer({ command, args = [], url }: Reached): string {
  if (url !== undefined) return describeUrl(url)
  return [command ?? '', ...hideSecrets(args).map(quote)].join(' ')
}

/** Locations of literal secrets in the entry, such as `env.GITHUB_TOKEN`. */
export function findWrittenSecrets({ args = [], env = {}, url, headers = {} }: Reached): string[] {
  const named = (group: string, values: { readonly [name: string]: string }) =>
    Object.entries(values)
      .filter(([name, value]) => isWritten(name, value))
      .map(([name]) => `${group}.${name}`)
  return [
    ...named('env', env),
    ...named('headers', headers),
    ...(hideSecrets(args).some((arg, index) => arg !== args[index]) ? ['args'] : []),
    ...(url !== undefined && describeUrl(url) !== url ? ['url'] : []),
  ]
}

function isWritten(name: string, value: string): boolean {
  if (/\$\{[^}]+\}/.test(value) || value.length < shortest) return false
  return isSecretName(name) || findSecrets(`${name}=${value}`).length > 0 || findSecrets(value).length > 0
}

/** Shorter values are words such as `true` or `none`. */
const shortest = 6
const hidden = '…'

/** The argument after an option named like a secret is one too. */
function hideSecrets(args: readonly string[]): string[] {
  return args.map((arg, index) => {
    const option = /^--?([A-Za-z][\w-]*)$/.exec(args[index - 1] ?? '')?.[1]
    if (option !== undefined && !arg.startsWith('-') && isWritten(option, arg)) return hidden
    const [, name, value] = /^-*([A-Za-z][\w-]*)[=:]\s*(.*)$/s.exec(arg) ?? []
    if (name !== undefined && isWritten(name, value!)) return arg.slice(0, arg.length - value!.length) + hidden
    return findSecrets(arg).reduceRight((text, { start, end }) => text.slice(0, start) + hidden + text.slice(end), arg)
  })
}

/** Hides credentials and the query, which may contain keys. */
function describeUrl(url: string): string {
  const parsed = URL.parse(url)
  if (!parsed) return url
  const { username, password, search } = parsed
  if (!username && !password && !search) return url
  return `${parsed.protocol}//${username || password ? `${hidden}@` : ''}${parsed.host}${parsed.pathname}${search ? `?${hidden}` : ''}`
}

function quote(word: string): string {
  return /^[\w@%+=:,./$ {}…-]+$/.test(word) && !word.includes(' ') ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/** Warns about literal secrets in the config. */
export function printSecrets(servers: { readonly [name: string]: JsonObject }, { terminal }: Request): void {
  const places = Object.entries(servers).flatMap(([server, entry]) =>
    findWrittenSecrets(entry as Reached).map((place) => `mcpServers.${server}.${place}`),
  )
  if (places.length === 0) return
  const variable = places[0]!.split('.').at(-1)!.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase() // biome-ignore format: one line
  terminal.log([
    paint('yellow', 'Note:'),
    ` The config now contains values that look like secrets: ${places.join(', ')}. Move them to the environment and write \${${variable}} instead.`,
  ])
}

const maxCharacters = 200

/** One line per variable that makes a server run code which its command does not name. */
export function toCodeVariableLines({ env = {} }: Reached): Line[] {
  return findCodeVariables(env).map(({ name, value, why }) => {
    const shown = isSecretName(name) ? '…' : shorten(value, maxCharacters)
    return [paint('red', `   ! ${printable(`${name}=${shown}`)}`), ` ${why}`]
  })
}

export function toCodeVariableNames({ env = {} }: Reached): string[] {
  return findCodeVariables(env).map(({ name }) => name)
}

/** Asks about such variables, if any. Without a terminal the answer is no. */
export async function areCodeVariablesMeant(name: string, entry: Reached, request: Request): Promise<boolean> {
  const variables = toCodeVariableNames(entry)
  if (variables.length === 0) return true
  const question = `${printable(name)} sets ${printable(variables.join(', '))}, so that its program runs other code. Use it all the same? (y/N) `
  return (await confirm(question, request)) === true
}
