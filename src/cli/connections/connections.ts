import { printable, printableJson } from '../../contract/text/printable.ts'
import { type Command, type Request, UsageError } from '../options/command.ts'
import { toColumns } from '../terminal/columns.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { paint } from '../terminal/terminal.ts'
import { connectServer, openLogins } from './connect-server.ts'

const verbs = ['list', 'add', 'test', 'remove', 'rekey']

/** These take no server. */
const unnamed = ['list', 'rekey']

const owner = {
  type: 'string',
  value: 'CALLER',
  about: 'whose connection (default: local, which is you on this machine)',
} as const

export const connections: Command = {
  usage: ['connections [list]', 'connections ACTION …'],
  about: `Logs in to MCP servers that require it (OAuth), and manages these connections. Each caller has connections of their own, which are
stored encrypted and renewed when needed.`,
  options: {},
  examples: [
    ['toolpact connections', 'list the connections'],
    ['toolpact connections add notion', 'log in to a server, in the browser'],
  ],
  actions: {
    list: {
      summary: 'list the connections',
      usage: ['connections list'],
      about:
        'Lists who is connected to which server, since when, and who must connect again. Tokens are never printed.',
      options: {},
      examples: [['toolpact connections list', 'every connection']],
    },
    add: {
      summary: 'log in to a server',
      usage: ['connections add SERVER [--scope SCOPES] [--device] [--port N] [--print] [--owner CALLER]'],
      about: `Logs in to a server of the config: finds out who issues its tokens, opens the page to log in, and stores the connection.
If the browser is on another machine, use --device where the issuer supports it: it prints a code to enter on any device. Otherwise open
the printed link there, and paste the address that it ends at. For another caller of a server, let that person log in at the link.`,
      options: {
        scope: {
          type: 'string',
          value: 'SCOPES',
          about: 'rights to ask for besides the usual ones, as a failed call names them',
        },
        device: { type: 'boolean', about: 'log in on another device, with a code' },
        port: { type: 'string', value: 'N', about: 'the port that the browser returns to (default: a free one)' },
        print: { type: 'boolean', about: 'print the link instead of opening it' },
        owner,
      },
      examples: [
        ['toolpact connections add notion', 'log in to the server notion'],
        [
          'toolpact connections add notion --port 7421',
          'for a client whose redirect URI was registered with that port',
        ],
        ['toolpact connections add mail --device', 'on a machine without a browser'],
        ['toolpact connections add mail --scope "mail.send"', 'grant more than before'],
      ],
    },
    test: {
      summary: 'check that a server accepts a connection',
      usage: ['connections test SERVER [--owner CALLER]'],
      about: 'Sends a request to the server with the stored token, which is renewed first if that is due.',
      options: { owner },
      examples: [['toolpact connections test notion', 'your own connection']],
    },
    remove: {
      summary: 'log out of a server',
      usage: ['connections remove SERVER [--owner CALLER]'],
      about: 'Revokes the tokens at their issuer, if it takes such requests, and removes the connection.',
      options: { owner },
      examples: [['toolpact connections remove notion', 'your own connection']],
    },
    rekey: {
      summary: 'encrypt the connections with a new key',
      usage: ['connections rekey'],
      about: `Encrypts all stored connections with the newest key. The key in the state directory, which Toolpact created, is replaced by a
new one first. With a key of your own, set the new one in "vault" and name the old one in "vault.formerKeyFiles" before, and remove the old
one afterwards. If the command is interrupted, run it again: nothing is lost.`,
      options: {},
      examples: [['toolpact connections rekey', 'after a key may have become known']],
    },
  },
  next: (before) =>
    before.length === 0 ? verbs : before.length === 1 && !unnamed.includes(before[0]!) ? 'server' : undefined,
  async run(request) {
    const [verb = 'list', server, ...more] = request.positionals
    if (!verbs.includes(verb)) throw new UsageError(`connections has no action '${verb}'.`, `Use ${verbs.join(', ')}.`)
    if (unnamed.includes(verb) && server !== undefined) throw new UsageError(`connections ${verb} takes no name, but got '${server}'.`) // biome-ignore format: one line
    if (verb === 'list') return list(request)
    if (verb === 'rekey') return rekey(request)
    if (server === undefined) throw new UsageError(`connections ${verb} needs the name of a server.`, 'Run `toolpact mcp list` to see them.') // biome-ignore format: one line
    if (more.length > 0) throw new UsageError(`connections ${verb} takes one server, but also got '${more[0]}'.`)
    // Elsewhere the option says which config is changed.
    const { scope, ...options } = request.options
    if (verb === 'add') return connectServer({ ...request, options }, server, scope)
    return verb === 'test' ? test(request, server) : remove(request, server)
  },
}

async function list({ options, terminal, open }: Request): Promise<number> {
  const { logins, close } = await openLogins(open)
  try {
    const all = await logins.list()
    if (options.json) {
      const toTime = (at: number) => new Date(at).toISOString()
      terminal.print(
        printableJson(
          all.map(({ owner, server, issuer, connectedAt, renewedAt, fault }) => ({
            ...{ owner, server, issuer, connected_at: toTime(connectedAt) },
            ...(renewedAt !== undefined && { renewed_at: toTime(renewedAt) }),
            ...(fault !== undefined && { fault }),
          })),
        ),
      )
    } else if (all.length === 0)
      terminal.log('There are no connections yet. Log in to a server with `toolpact connections add SERVER`.')
    else
      terminal.print(
        ...toColumns(
          all.map(({ owner, server, issuer, connectedAt, fault }) => [
            printable(server),
            printable(owner),
            fault === undefined
              ? `connected ${new Date(connectedAt).toISOString().slice(0, 10)}`
              : 'must connect again',
            printable(issuer),
          ]),
        ),
      )
    return exitCodes.success
  } finally {
    await close()
  }
}

async function test({ options, terminal, open }: Request, server: string): Promise<number> {
  const { logins, close } = await openLogins(open)
  try {
    await logins.test(server, options.owner)
    if (options.json) terminal.print(printableJson({ server, accepted: true }))
    else terminal.print([paint('green', '✓ '), `${printable(server)} accepts the connection.`])
    return exitCodes.success
  } catch (cause) {
    if (!(cause instanceof Error) || cause.name !== 'OAuthError') throw cause
    if (options.json) terminal.print(printableJson({ server, accepted: false, reason: cause.message }))
    else terminal.log([paint('red', '✗ '), printable(cause.message)])
    return exitCodes.failed
  } finally {
    await close()
  }
}

async function remove({ options, terminal, open }: Request, server: string): Promise<number> {
  const { logins, close } = await openLogins(open)
  try {
    const removed = await logins.remove(server, options.owner)
    if (!removed.removed) throw new UsageError(`There is no connection to '${server}'.`, 'Run `toolpact connections list` to see them.') // biome-ignore format: one line
    if (options.json) terminal.print(printableJson({ server, ...removed }))
    else {
      terminal.print(`Removed the connection to ${printable(server)}.`)
      if (removed.fault !== undefined)
        terminal.log([paint('yellow', 'Note:'), ` Its tokens may still work: ${printable(removed.fault)}`]) // biome-ignore format: one line
      else if (!removed.revoked) terminal.log('Its issuer takes no requests to revoke tokens: they end by themselves.')
    }
    return exitCodes.success
  } finally {
    await close()
  }
}

async function rekey({ options, terminal, open }: Request): Promise<number> {
  const { logins, close } = await openLogins(open)
  try {
    const { rekeyed, current, lost } = await logins.rekey()
    if (options.json) terminal.print(printableJson({ rekeyed, current, lost: lost.map((key) => ({ ...key })) }))
    else {
      terminal.print([paint('green', '✓ '), `Encrypted ${rekeyed} of ${rekeyed + current + lost.length} connections with the newest key.`]) // biome-ignore format: one line
      for (const { owner, server } of lost)
        terminal.log([paint('yellow', 'Note:'), ` No known key decrypts the connection of ${printable(owner)} to ${printable(server)}. Name its key in vault.formerKeyFiles, or let them connect again.`]) // biome-ignore format: one line
    }
    return lost.length === 0 ? exitCodes.success : exitCodes.failed
  } catch (cause) {
    if (!(cause instanceof Error) || cause.name !== 'OAuthError') throw cause
    terminal.log([paint('red', '✗ '), printable(cause.message)])
    return exitCodes.failed
  } finally {
    await close()
  }
}
