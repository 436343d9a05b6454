import { clients } from '../../surfaces/clients/clients.ts'
import { type Command, type Request, UsageError } from '../options/command.ts'
import { grantOptions, isolationOption } from './grant-options.ts'

const verbs: {
  readonly [name: string]: () => Promise<(request: Request, words: readonly string[]) => Promise<number>>
} = {
  add: async () => (await import('./add.ts')).addServer,
  import: async () => (await import('./import.ts')).importServers,
  grant: async () => (await import('./grant.ts')).grantServer,
  revoke: async () => (await import('./grant.ts')).revokeServer,
  remove: async () => (await import('./remove.ts')).removeServers,
  adopt: async () => (await import('./adopt.ts')).adopt,
  inspect: async () => (await import('./inspect.ts')).inspectServers,
  list: async () => (await import('./list.ts')).listServers,
}

/** Options of several actions. */
const scope = {
  type: 'string',
  value: 'everywhere|folder|project',
  about: 'servers of every folder, your own settings for this folder, or its toolpact.json',
} as const
const approval = {
  type: 'string',
  value: 'reads|ask|never',
  about: 'when calls ask: reads lets calls run that look like reads (default: ask)',
} as const
const withoutSchema = {
  type: 'string',
  value: 'opaque|refuse',
  about: 'tools without an output schema: models read their results as quoted data, or they are left out (default: refuse)', // biome-ignore format: one line
} as const
const noConnect = { type: 'boolean', about: 'do not connect to the new servers' } as const
const replace = { type: 'boolean', about: 'replace servers of the same name' } as const

export const mcp: Command = {
  usage: ['mcp [list] [--scope SCOPE]', 'mcp ACTION …'],
  about: `Connects MCP servers. Their tools are then used like any other: admitted, checked, approved and recorded here.
Without an action, lists the servers that are used here and where each is configured; nothing is started.`,
  options: { scope: { ...scope, about: `only ${scope.about}` } },
  examples: [
    ['toolpact mcp import', 'find the servers of other clients'],
    ['toolpact mcp inspect', 'connect to all servers and show their state'],
  ],
  actions: {
    add: {
      summary: 'add a server',
      usage: ['mcp add NAME [options] -- COMMAND [ARG …]', 'mcp add NAME URL [options]'],
      about: `Adds a server that is started by a command, or reached at a URL, and connects to it. It is stored under mcpServers in
toolpact.json, or in the file after --config; if git tracks toolpact.json, in your own settings for the folder. Write
secrets as \${NAME} to read them from the environment. A command is first started once without network, and you are asked
whether to confine it to the folders and hosts that it wanted; options name them instead.`,
      options: {
        env: {
          type: 'string',
          value: 'NAME=VALUE',
          multiple: true,
          about: 'an environment variable of the command; may be repeated',
        },
        header: {
          type: 'string',
          value: "'NAME: VALUE'",
          multiple: true,
          about: 'a header of every request; may be repeated',
        },
        cwd: { type: 'string', value: 'DIR', about: 'the folder that the command runs in' },
        type: { type: 'string', value: 'http|sse', about: 'the transport of a URL (default: http)' },
        ...grantOptions,
        isolation: isolationOption,
        approval,
        'without-schema': withoutSchema,
        scope,
        replace,
        'no-connect': noConnect,
      },
      examples: [
        ['toolpact mcp add files -- npx -y @modelcontextprotocol/server-filesystem .', 'a local server'],
        [
          `toolpact mcp add tracker https://tracker.example/mcp --header 'Authorization: Bearer \${TRACKER_TOKEN}'`,
          'a remote server',
        ],
      ],
    },
    import: {
      summary: 'import the servers of other clients',
      usage: ['mcp import [--all]', 'mcp import CLIENT | FILE [NAME …]'],
      about: `Finds the servers of every client on this machine and asks which to import; or imports those of one client or file.
Shows what would change first. Starts each server that has a command once without network, shows what it wanted and offers
to confine it to that; options about folders and hosts apply to every imported server instead.`,
      options: {
        all: { type: 'boolean', about: 'the servers of every client on this machine' },
        ...grantOptions,
        isolation: isolationOption,
        approval,
        'without-schema': withoutSchema,
        scope,
        replace,
        'no-connect': noConnect,
      },
      examples: [
        ['toolpact mcp import claude', 'from Claude Code and Claude Desktop'],
        ['toolpact mcp import --all --scope everywhere', 'all of them, for every folder'],
        ['toolpact mcp import claude notion --allow-host api.notion.com --yes', 'one server, and what it may reach'],
      ],
    },
    inspect: {
      summary: 'connect to servers and show their state and tools',
      usage: ['mcp inspect [NAME] [--all]'],
      about: `Connects to all servers, or to one, and shows its state, how fast it answers, which tools are admitted or withheld, why
and what to do. Exit code 1 if a server cannot be reached.`,
      options: { all: { type: 'boolean', about: 'also show flags of definitions that the lock has accepted' } },
      examples: [
        ['toolpact mcp inspect', 'all servers'],
        ['toolpact mcp inspect files', 'one server, with its tools'],
      ],
    },
    grant: {
      summary: 'grant a server folders and hosts, and confine it to them',
      usage: ['mcp grant NAME [options]'],
      about: `Lets a server that is started by a command use folders and hosts, in addition to what it was granted before. Without
options, starts it once without network, shows what it wanted and offers exactly that. A server with grants is confined
to them wherever a sandbox works.`,
      options: { ...grantOptions, isolation: isolationOption, scope },
      examples: [
        ['toolpact mcp grant notion --allow-host api.notion.com', 'let it connect to one host'],
        ['toolpact mcp grant files --read ~/notes --write drafts', 'let it read one folder and change another'],
        ['toolpact mcp grant files --network none', 'confine it, without network'],
        ['toolpact mcp grant files', 'find out what it needs'],
      ],
    },
    revoke: {
      summary: 'take folders and hosts back',
      usage: ['mcp revoke NAME [options]'],
      about: `Takes back what was granted to a server: the folders and hosts that are named, or all of them. It stays confined.`,
      options: { ...grantOptions, scope },
      examples: [
        ['toolpact mcp revoke notion --allow-host api.notion.com', 'one host'],
        ['toolpact mcp revoke notion --network any', 'all hosts'],
        ['toolpact mcp revoke files', 'everything'],
      ],
    },
    adopt: {
      summary: 'use tools that declare no output schema',
      usage: ['mcp adopt NAME | --all [options]', 'mcp adopt NAME TOOL --input JSON …'],
      about: `Admits the tools of a server that declare no output schema: models read what they return as quoted data. With a tool,
calls it, proposes an output schema from what it returns, and attaches it in the lock if you confirm.`,
      options: {
        all: { type: 'boolean', about: 'the tools of every server' },
        approval,
        'without-schema': { ...withoutSchema, about: withoutSchema.about.replace('refuse)', 'opaque)') },
        input: {
          type: 'string',
          value: 'JSON',
          multiple: true,
          about: 'with a tool: an input for a sample call; may be repeated',
        },
        result: {
          type: 'string',
          value: 'FILE',
          multiple: true,
          about: 'with a tool: a recorded result; may be repeated',
        },
        schema: { type: 'string', value: 'JSON|@FILE', about: 'with a tool: attach this schema' },
        scope,
      },
      examples: [
        ['toolpact mcp adopt files --approval reads', 'admit its tools, and let reads run'],
        [`toolpact mcp adopt files search --input '{"text":"a"}'`, 'propose an output schema for one tool'],
      ],
    },
    remove: {
      summary: 'remove servers',
      usage: ['mcp remove NAME …'],
      about: 'Removes servers from the file that has them.',
      options: { scope },
      examples: [['toolpact mcp remove files', 'remove one server']],
    },
  },
  pages: ([verb]) => verb === undefined || verb === 'list' || verb === 'inspect',
  next: ([verb, ...more]) => {
    if (verb === undefined) return Object.keys(verbs)
    if (verb === 'import' && more.length === 0) return clients.map(({ id }) => id)
    return more.length === 0 && ['remove', 'inspect', 'adopt', 'grant', 'revoke'].includes(verb) ? 'server' : undefined
  },
  async run(request) {
    const [verb = 'list', ...words] = request.positionals
    if (!Object.hasOwn(verbs, verb))
      throw new UsageError(`mcp has no action '${verb}'.`, `Use mcp ${Object.keys(verbs).join(', ')}.`)
    return (await verbs[verb]!())(request, words)
  },
}
