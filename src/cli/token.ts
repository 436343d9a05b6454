import { openOperatorState } from '../app/open-storage.ts'
import { printableJson } from '../contract/text/printable.ts'
import { readTime } from '../contract/text/read-time.ts'
import type { CallerScope } from '../contract/tool.ts'
import { type CreatedToken, isExpired, type Token, type TokenStore, toTokenId } from '../runtime/storage/tokens.ts'
import { consoleCaller } from '../surfaces/console/person.ts'
import { isReservedCaller, localCaller } from '../surfaces/http/credentials.ts'
import { type Command, type Options, type Request, UsageError } from './options/command.ts'
import { toConfigOptions } from './options/config-options.ts'
import { toColumns } from './terminal/columns.ts'
import { exitCodes } from './terminal/exit-codes.ts'
import { paint } from './terminal/terminal.ts'

export const token: Command = {
  usage: ['token [NAME]', 'token ACTION …'],
  about: `Creates, lists, replaces and revokes the tokens that HTTP callers of toolpact serve send. Each NAME is a separate caller
with its own rate limits, rules and ledger entries, and may have several tokens. Only hashes are stored, so a token is
printed once, when it is created. Changes apply to a running server within a second.

Without an action: creates a token if the caller has none. The default name is local.`,
  options: {},
  examples: [
    ['toolpact token create ci --expires 90d --read-only', 'a token that can only read, for three months'],
    ['export TOOLPACT_TOKEN=$(toolpact token create local)', 'keep one for requests from this shell'],
    ['toolpact token list', 'who has a token, what it permits, and when it was last used'],
  ],
  actions: {
    create: {
      summary: 'create a token and print it, once',
      usage: ['token create NAME [--expires TIME] [--toolsets A,B] [--read-only]'],
      about: `Creates a token for a caller and prints it. A token with --toolsets or --read-only permits less than its caller may
do: the tools that both allow. It cannot answer questions about calls.`,
      options: {
        expires: { type: 'string', value: 'TIME', about: 'when it ends: 90d, 12h, or a date (default: never)' },
        toolsets: { type: 'string', value: 'A,B', about: 'only tools of these toolsets or MCP servers' },
        label: { type: 'string', value: 'TEXT', about: 'what it is for, shown by token list' },
      },
      examples: [
        ['toolpact token create ci', 'another token for the caller ci'],
        ['toolpact token create docs --toolsets files,github --read-only', 'a token with a narrow scope'],
      ],
    },
    list: {
      summary: 'list tokens, their scopes and last use',
      usage: ['token list'],
      about: 'Lists the tokens, without the tokens themselves: caller, id, scope, when it was created, expires and was last used.', // biome-ignore format: one line
      options: {},
      examples: [['toolpact token list', 'every token']],
    },
    rotate: {
      summary: 'replace a token',
      usage: ['token rotate [NAME|ID] [--overlap TIME]'],
      about: `Creates a token with the same scope and lifetime, and ends the old one: at once, or after --overlap, so that clients
can change to the new one in the meantime. The name of a caller replaces all of its tokens.`,
      options: {
        overlap: {
          type: 'string',
          value: 'TIME',
          about: 'how long the old one still works: 1h, 7d (default: not at all)',
        },
        expires: {
          type: 'string',
          value: 'TIME',
          about: 'when the new one ends (default: after as long as the old one)',
        },
      },
      examples: [['toolpact token rotate ci --overlap 1h', 'replace the token of one caller without downtime']],
    },
    revoke: {
      summary: 'end a token, or all tokens of a caller',
      usage: ['token revoke NAME|ID'],
      about:
        'Ends one token by its id, or all tokens of a caller by its name. Running servers refuse them within a second.',
      options: {},
      examples: [['toolpact token revoke ci', 'every token of one caller']],
    },
    link: {
      summary: 'print a single-use link to the console',
      usage: ['token link [--port N] [--host ADDRESS]'],
      about: 'Prints a single-use link to the console of a running server, as toolpact open --print does.',
      options: {
        port: { type: 'string', value: 'N', about: 'the port of the server (default: that of one that runs)' },
        host: { type: 'string', value: 'ADDRESS', about: 'its address (default: 127.0.0.1)' },
      },
      examples: [['toolpact token link', 'a link to the console']],
    },
  },
  next: (before) => (before.length === 0 ? Object.keys(verbs) : undefined),
  async run(request) {
    const [first, second, ...more] = request.positionals
    const verb = first !== undefined && Object.hasOwn(verbs, first) ? verbs[first] : undefined
    if (more.length > 0 || (!verb && second !== undefined)) throw new UsageError(`token takes one name, but also got '${more[0] ?? second}'.`) // biome-ignore format: one line
    if (verb) return verb(request, second)
    return ensure(request, toCallerName(first ?? localCaller.name))
  },
}

type Verb = (request: Request, name: string | undefined) => Promise<number>

const verbs: { readonly [name: string]: Verb } = {
  create,
  list,
  rotate,
  revoke,
  /** As it was called before. */
  remove: revoke,
  link: printLink,
}

/** For a first token: `$(toolpact token ci)` works once in a shell. */
async function ensure(request: Request, name: string): Promise<number> {
  const tokens = await openTokens(request)
  const [known] = (await tokens.load()).filter((token) => token.caller === name && !isExpired(token, Date.now()))
  if (!known) return printNew(request, await tokens.create(name))
  throw new UsageError(
    `${name} has a token (${known.prefix}…), of which only the hash is stored, so it cannot be shown again.`,
    `Create another with \`toolpact token create ${name}\`, or replace it with \`toolpact token rotate ${name}\`.`,
  )
}

async function create(request: Request, name: string | undefined): Promise<number> {
  if (name === undefined) throw new UsageError('token create needs the name of a caller.', 'For example: toolpact token create ci') // biome-ignore format: one line
  const { options } = request
  const made = { expiresAt: toExpiry(options), scope: toScope(options), label: toLabel(options) }
  return printNew(request, await (await openTokens(request)).create(toCallerName(name), made))
}

async function rotate(request: Request, name = localCaller.name): Promise<number> {
  const { options, terminal } = request
  const tokens = await openTokens(request)
  const meant = await findMeant(tokens, name)
  // The first token of the local caller, as before the first toolpact serve.
  if (meant.length === 0 && name === localCaller.name) return printNew(request, await tokens.create(name))
  if (meant.length === 0) throw toUnknown(name)
  if (new Set(meant.map(({ scope }) => toScopeText(scope))).size > 1)
    throw new UsageError(`The tokens of ${name} have different scopes.`, 'Name the one to replace by its id: run `toolpact token list`.') // biome-ignore format: one line
  const overlapMs = toOverlapMs(options)
  const made = await tokens.rotate(meant.map(toId), { overlapMs, expiresAt: toExpiry(options) })
  if (!made) throw toUnknown(name)
  const end = overlapMs === 0 ? 'no longer works' : `works until ${toMinute(new Date(Date.now() + overlapMs).toISOString())}` // biome-ignore format: one line
  terminal.log(`The old token of ${made.caller} ${end}. Give the new one to its clients.`)
  return printNew(request, made)
}

async function revoke(request: Request, name: string | undefined): Promise<number> {
  const { options, terminal } = request
  if (name === undefined) throw new UsageError('token revoke needs the name of a caller or the id of a token.', 'Run `toolpact token list` to see them.') // biome-ignore format: one line
  const tokens = await openTokens(request)
  const revoked = await tokens.revoke((await findMeant(tokens, name)).map(toId))
  if (revoked.length === 0) throw toUnknown(name)
  const [{ caller }] = revoked as [Token]
  if (options.json) terminal.print(printableJson({ caller, revoked: revoked.map(toId) }))
  else terminal.print(`Revoked ${revoked.length === 1 ? `the token ${toId(revoked[0]!)}` : `${revoked.length} tokens`} of ${caller}. Requests with ${revoked.length === 1 ? 'it' : 'them'} are refused from now on.`) // biome-ignore format: one line
  return exitCodes.success
}

async function list({ options, terminal }: Request, name: string | undefined): Promise<number> {
  if (name !== undefined) throw new UsageError(`token list takes no name, but got '${name}'.`)
  const tokens = await openTokens({ options })
  const uses = await tokens.lastUses()
  const known = (await tokens.load()).filter(({ caller }) => caller !== consoleCaller)
  if (options.json) terminal.print(printableJson(known.map((token) => toListed(token, uses[toId(token)]))))
  else if (known.length === 0) terminal.log('There are no tokens yet. Create one with `toolpact token create NAME`.')
  else {
    const rows = known.map((token) => toRow(token, uses[toId(token)]))
    const head = ['CALLER', 'ID', 'TOKEN', 'LAST USED', 'EXPIRES', 'CREATED', 'SCOPE'].map((word) => paint('dim', word))
    terminal.print(...toColumns([head, ...rows], { width: terminal.columns, drop: [5, 2], minLast: 12 }))
  }
  return exitCodes.success
}

async function printLink(request: Request, name: string | undefined): Promise<number> {
  if (name !== undefined) throw new UsageError(`token link takes no name, but got '${name}'.`)
  const { makeConsoleLink } = await import('./serve/make-console-link.ts')
  const url = await makeConsoleLink(request)
  request.terminal.print(request.options.json ? printableJson({ url }) : url)
  return exitCodes.success
}

async function openTokens({ options }: Pick<Request, 'options'>): Promise<TokenStore> {
  return (await openOperatorState(toConfigOptions(options))).tokens
}

/** Only the token goes to stdout, so `$(toolpact token create ci)` works in a shell. */
function printNew({ options, terminal }: Request, made: CreatedToken): number {
  const { caller, token } = made
  terminal.log(`Created a token for the caller ${caller}. It is shown this once: only its hash is stored.`)
  terminal.print(options.json ? printableJson({ ...toListed(made, undefined), token }) : token)
  return exitCodes.success
}

/** All tokens of a caller, or the one with this id. The console is no caller. */
async function findMeant(tokens: TokenStore, name: string): Promise<Token[]> {
  const known = (await tokens.load()).filter(({ caller }) => caller !== consoleCaller)
  const own = known.filter(({ caller }) => caller === name)
  return own.length > 0 ? own : known.filter((token) => toId(token) === name)
}

function toId({ hash }: Token): string {
  return toTokenId(hash)
}

function toListed(token: Token, lastUsedAt: string | undefined) {
  const { caller, prefix, createdAt, expiresAt, scope, label } = token
  return {
    ...{ caller, id: toId(token), prefix, created_at: createdAt, expires_at: expiresAt ?? null },
    expired: isExpired(token, Date.now()),
    last_used_at: lastUsedAt ?? null,
    toolsets: scope?.toolsets ?? null,
    read_only: scope?.readOnly ?? false,
    ...(label !== undefined && { label }),
  }
}

function toRow(token: Token, lastUsedAt: string | undefined) {
  const { caller, prefix, createdAt, expiresAt, scope, label } = token
  const end = expiresAt === undefined ? 'never' : toMinute(expiresAt)
  return [
    paint('bold', caller),
    toId(token),
    `${prefix}…`,
    lastUsedAt === undefined ? 'never' : toMinute(lastUsedAt),
    isExpired(token, Date.now()) ? paint('red', 'expired') : end,
    createdAt.slice(0, 10),
    `${toScopeText(scope)}${label === undefined ? '' : ` (${label})`}`,
  ]
}

function toScopeText({ toolsets, readOnly }: CallerScope = {}): string {
  return [toolsets?.join(', ') ?? 'all tools', ...(readOnly ? ['read only'] : [])].join(', ')
}

/** Of this machine's time zone. */
function toMinute(time: string): string {
  const date = new Date(time)
  const pad = (value: number) => `${value}`.padStart(2, '0')
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())} ${pad(date.getHours())}:${pad(date.getMinutes())}` // biome-ignore format: one line
}

function toExpiry({ expires }: Options): string | undefined {
  if (expires === undefined) return undefined
  const date = readTime(expires, 'after', new Date())
  if (!date) throw new UsageError(`--expires cannot be '${expires}'.`, 'Use a duration such as 90d or 12h, or a date such as 2027-01-31.') // biome-ignore format: one line
  if (date.getTime() <= Date.now()) throw new UsageError(`--expires ${expires} is in the past.`, 'Choose a later time.')
  return date.toISOString()
}

function toOverlapMs({ overlap }: Options): number {
  if (overlap === undefined) return 0
  const now = new Date()
  const date = /^\d+[smhdw]$/.test(overlap) ? readTime(overlap, 'after', now) : undefined
  if (!date) throw new UsageError(`--overlap cannot be '${overlap}'.`, 'Use a duration such as 1h or 7d.')
  return date.getTime() - now.getTime()
}

function toScope({ toolsets, 'read-only': readOnly }: Options): CallerScope {
  const names = toolsets?.split(',').map((name) => name.trim())
  const wrong = names?.find((name) => !/^[\w-][\w.-]{0,127}$/.test(name))
  if (wrong !== undefined) throw new UsageError(`--toolsets cannot contain '${wrong}'.`, 'Write names of toolsets or MCP servers, separated by commas.') // biome-ignore format: one line
  return { ...(names && { toolsets: [...new Set(names)] }), ...(readOnly && { readOnly: true }) }
}

function toLabel({ label }: Options): string | undefined {
  if (label !== undefined && !/^[\w.@ :-]{1,64}$/.test(label))
    throw new UsageError('--label can have letters, digits, spaces and . _ @ : -, at most 64.')
  return label
}

/** Validates the name of a caller. */
export function toCallerName(name: string): string {
  if (!/^[A-Za-z0-9][\w.@-]{0,63}$/.test(name)) throw new UsageError(`A caller cannot be named '${name}'.`, 'Use letters, digits, . _ @ and -, at most 64.') // biome-ignore format: one line
  if (Object.hasOwn(verbs, name) || isReservedCaller(name, true))
    throw new UsageError(`A caller cannot be named '${name}': the name is reserved.`, 'Choose another one.')
  return name
}

function toUnknown(name: string): UsageError {
  return new UsageError(`There is no token of '${name}'.`, `Create one with \`toolpact token create ${name}\`, or run \`toolpact token list\`.`) // biome-ignore format: one line
}
