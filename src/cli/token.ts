import { openOperatorState } from '../app/open-storage.ts'
import { printableJson } from '../contract/text/printable.ts'
import type { TokenStore } from '../runtime/storage/operator-state.ts'
import { consoleCaller } from '../surfaces/console/person.ts'
import { isReservedCaller, localCaller } from '../surfaces/http/credentials.ts'
import { type Command, type Request, UsageError } from './options/command.ts'
import { toConfigOptions } from './options/config-options.ts'
import { toColumns } from './terminal/columns.ts'
import { exitCodes } from './terminal/exit-codes.ts'

const verbs = ['list', 'rotate', 'remove', 'link']

export const token: Command = {
  usage: ['token [NAME]', 'token ACTION …'],
  about: `Shows the token that HTTP callers of toolpact serve send, creating it if necessary. Each NAME is a separate caller with
its own token, rate limits, rules and ledger entries; the default is local. Changes apply to a running server at once.`,
  options: {},
  examples: [
    ['curl -H "Authorization: Bearer $(toolpact token)" http://127.0.0.1:7420/v1/tools', 'use it in a request'],
    ['toolpact token ci', 'create a separate caller'],
  ],
  actions: {
    list: {
      summary: 'list the callers that have a token',
      usage: ['token list'],
      about: 'Lists the callers that have a token. Tokens are not printed.',
      options: {},
      examples: [['toolpact token list', 'every caller']],
    },
    rotate: {
      summary: 'replace a token',
      usage: ['token rotate [NAME]'],
      about: 'Replaces a token and prints the new one. The old one stops working at once.',
      options: {},
      examples: [['toolpact token rotate ci', 'replace the token of one caller']],
    },
    remove: {
      summary: 'remove a caller',
      usage: ['token remove NAME'],
      about: 'Removes the token of a caller. Its requests are refused from now on.',
      options: {},
      examples: [['toolpact token remove ci', 'remove one caller']],
    },
    link: {
      summary: 'print a single-use link to the console',
      usage: ['token link [--port N] [--host ADDRESS]'],
      about: 'Prints a single-use link to the console of a running server, as toolpact open --print does.',
      options: {
        port: { type: 'string', value: 'N', about: 'the port of the server (default: 7420)' },
        host: { type: 'string', value: 'ADDRESS', about: 'its address (default: 127.0.0.1)' },
      },
      examples: [['toolpact token link', 'a link to the console']],
    },
  },
  next: (before) => (before.length === 0 ? verbs : undefined),
  async run(request) {
    const [first = localCaller.name, second, ...more] = request.positionals
    const isVerb = verbs.includes(first)
    if (more.length > 0 || (!isVerb && second !== undefined)) throw new UsageError(`token takes one name, but also got '${more[0] ?? second}'.`) // biome-ignore format: one line
    const { tokens } = await openOperatorState(toConfigOptions(request.options))
    if (!isVerb) return show(request, tokens, toCallerName(first))
    if (first === 'rotate') return rotate(request, tokens, toCallerName(second ?? localCaller.name))
    if (first === 'remove') return remove(request, tokens, second)
    if (second !== undefined) throw new UsageError(`token ${first} takes no name, but got '${second}'.`)
    if (first === 'link') return printLink(request, tokens)
    return list(request, tokens)
  },
}

/** Only the token goes to stdout, so `$(toolpact token)` works in a shell. */
async function show({ options, terminal }: Request, tokens: TokenStore, name: string): Promise<number> {
  const { token, createdAt, isNew } = await tokens.ensure(name)
  if (isNew) terminal.log(`Created a token for the caller ${name} in ${tokens.location}.`)
  terminal.print(options.json ? printableJson({ caller: name, token, created_at: createdAt }) : token)
  return exitCodes.success
}

async function rotate({ options, terminal }: Request, tokens: TokenStore, name: string): Promise<number> {
  const made = (await tokens.rotate(name)) ?? (name === localCaller.name ? await tokens.ensure(name) : undefined)
  if (!made) throw toUnknown(name)
  terminal.log(`The old token of ${name} no longer works. Give the new one to its clients.`)
  terminal.print(
    options.json ? printableJson({ caller: name, token: made.token, created_at: made.createdAt }) : made.token,
  )
  return exitCodes.success
}

async function remove({ options, terminal }: Request, tokens: TokenStore, name: string | undefined): Promise<number> {
  if (name === undefined) throw new UsageError('token remove needs the name of a caller.', 'Run `toolpact token list` to see them.') // biome-ignore format: one line
  if (!(await tokens.remove(name))) throw toUnknown(name)
  if (options.json) terminal.print(printableJson({ caller: name, removed: true }))
  else terminal.print(`Removed the token of ${name}. Its requests are refused from now on.`)
  return exitCodes.success
}

async function printLink(request: Request, tokens: TokenStore): Promise<number> {
  const { requestLink } = await import('./serve/request-link.ts')
  const url = await requestLink(request, tokens)
  request.terminal.print(request.options.json ? printableJson({ url }) : url)
  return exitCodes.success
}

/** Does not print tokens: somebody may be looking over the user's shoulder. */
async function list({ options, terminal }: Request, tokens: TokenStore): Promise<number> {
  const known = (await tokens.load()).filter(({ caller }) => caller !== consoleCaller)
  if (options.json)
    terminal.print(printableJson(known.map(({ caller, createdAt }) => ({ caller, created_at: createdAt }))))
  else if (known.length === 0) terminal.log('There are no tokens yet. Create one with `toolpact token`.')
  else terminal.print(...toColumns(known.map(({ caller, createdAt }) => [caller, `created ${createdAt.slice(0, 10)}`])))
  return exitCodes.success
}

/** Validates the name of a caller. */
export function toCallerName(name: string): string {
  if (!/^[A-Za-z0-9][\w.@-]{0,63}$/.test(name)) throw new UsageError(`A caller cannot be named '${name}'.`, 'Use letters, digits, . _ @ and -, at most 64.') // biome-ignore format: one line
  if (verbs.includes(name) || isReservedCaller(name, true))
    throw new UsageError(`A caller cannot be named '${name}': the name is reserved.`, 'Choose another one.')
  return name
}

function toUnknown(name: string): UsageError {
  return new UsageError(`There is no caller '${name}'.`, `Create it with \`toolpact token ${name}\`, or run \`toolpact token list\`.`) // biome-ignore format: one line
}
