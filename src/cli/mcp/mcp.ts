import { clients } from '../../surfaces/clients/clients.ts'
import { type Command, type Request, UsageError } from '../options/command.ts'

const verbs: {
  readonly [name: string]: () => Promise<(request: Request, words: readonly string[]) => Promise<number>>
} = {
  add: async () => (await import('./add.ts')).addServer,
  import: async () => (await import('./import.ts')).importServers,
  remove: async () => (await import('./remove.ts')).removeServers,
  adopt: async () => (await import('./adopt.ts')).adopt,
  inspect: async () => (await import('./inspect.ts')).inspectServers,
  list: async () => (await import('./list.ts')).listServers,
}

export const mcp: Command = {
  usage: [
    'mcp add NAME [options] -- COMMAND [ARG …]',
    'mcp add NAME URL [options]',
    'mcp import [--all]',
    'mcp import CLIENT | FILE [NAME …]',
    'mcp list',
    'mcp inspect [NAME] [--all]',
    'mcp adopt NAME | --all [--approval reads|ask|never] [--without-schema opaque|refuse]',
    'mcp adopt NAME TOOL --input JSON …',
    'mcp remove NAME …',
  ],
  about: `Connects MCP servers, whose tools are then served like any other: admitted, checked, approved and recorded here.
They are stored under mcpServers in the workspace's toolpact.json, or in the file after --config, in the format of other
clients. If git tracks that toolpact.json, add and import write to your private settings for the folder instead; use
--scope project to write to the tracked file, or --scope everywhere for servers in every folder. Write secrets as
\${NAME} to read them from the environment.`,
  options: {
    env: {
      type: 'string',
      value: 'NAME=VALUE',
      multiple: true,
      about: 'for add: an environment variable of the command; may be repeated',
    },
    header: {
      type: 'string',
      value: "'NAME: VALUE'",
      multiple: true,
      about: 'for add: a header of every request; may be repeated',
    },
    cwd: { type: 'string', value: 'DIR', about: 'for add: the folder that the command runs in' },
    type: {
      type: 'string',
      value: 'http|sse',
      about: 'for add: the transport of a URL (default: http; sse is deprecated)',
    },
    'no-connect': { type: 'boolean', about: 'for add and import: do not connect to the new servers' },
    input: {
      type: 'string',
      value: 'JSON',
      multiple: true,
      about: 'for adopt: an input for a sample call; may be repeated',
    },
    result: {
      type: 'string',
      value: 'FILE',
      multiple: true,
      about: 'for adopt: a recorded result; may be repeated',
    },
    schema: { type: 'string', value: 'JSON|@FILE', about: 'for adopt: attach this schema' },
    all: {
      type: 'boolean',
      about:
        'for adopt: the tools of every server; for import: every client on this machine; for inspect: also flags of definitions that the lock has accepted',
    },
    approval: {
      type: 'string',
      value: 'reads|ask|never',
      about:
        'for add, import and adopt: let calls that look like reads run and ask before others, ask before every call, or never ask (until you decide: ask)',
    },
    'without-schema': {
      type: 'string',
      value: 'opaque|refuse',
      about:
        'for add, import and adopt: let models read what tools without an output schema return, as quoted data, or leave these tools out (until you decide: refuse; for adopt: opaque)',
    },
    scope: {
      type: 'string',
      value: 'everywhere|folder|project',
      about:
        'for every folder, your own settings for this folder, or its toolpact.json (default for add and import: folder if git tracks toolpact.json, else project; import asks at a terminal)',
    },
    replace: { type: 'boolean', about: 'for add and import: replace servers of the same name' },
  },
  examples: [
    ['toolpact mcp add files -- npx -y @modelcontextprotocol/server-filesystem .', 'a local server'],
    [
      `toolpact mcp add tracker https://tracker.example/mcp --header 'Authorization: Bearer \${TRACKER_TOKEN}'`,
      'a remote server',
    ],
    ['toolpact mcp import', 'find servers of other clients and choose'],
    ['toolpact mcp import --all --scope everywhere', 'all of them, for every folder'],
    ['toolpact mcp import claude', 'import from Claude Code and Claude Desktop'],
    ['toolpact mcp inspect files', 'show its tools'],
    ['toolpact mcp add files --approval reads -- npx -y @scope/files .', 'let calls that look like reads run'],
    ['toolpact mcp adopt files', 'admit its tools without an output schema, as quoted data'],
    ['toolpact mcp adopt --all --approval reads', 'admit those of every server, and let reads run'],
    [`toolpact mcp adopt files search --input '{"text":"a"}'`, 'propose an output schema for one of them'],
  ],
  next: ([verb, ...more]) => {
    if (verb === undefined) return Object.keys(verbs)
    if (verb === 'import' && more.length === 0) return clients.map(({ id }) => id)
    return more.length === 0 && ['remove', 'inspect', 'adopt'].includes(verb) ? 'server' : undefined
  },
  async run(request) {
    const [verb = 'list', ...words] = request.positionals
    if (!Object.hasOwn(verbs, verb))
      throw new UsageError(`mcp has no action '${verb}'.`, `Use mcp ${Object.keys(verbs).join(', ')}.`)
    if (verb === 'inspect' && request.options.scope !== undefined)
      throw new UsageError('mcp inspect is about every server that is used here.', 'Leave out --scope.')
    return (await verbs[verb]!())(request, words)
  },
}
