import { keepPattern } from '../../runtime/storage/ledger-keep.ts'
import { formerKeys, toolsetSettings } from '../../toolsets/settings.ts'
import { agent } from './agent-schema.ts'
import { approval, approvers, ask, groups } from './approval-schema.ts'
import { limits } from './limits-schema.ts'
import { mcpServer, withoutOutputSchema } from './server-schema.ts'

const name = { type: 'string', minLength: 1 } as const

const ledger = {
  type: 'object',
  description: 'How the record of every call is kept.',
  additionalProperties: false,
  properties: {
    fsync: {
      enum: ['writes', 'all'],
      default: 'writes',
      description: 'Which calls wait for fsync: those that change something, or all.',
    },
    keep: {
      type: 'string',
      pattern: keepPattern,
      description:
        'How much of the ledger stays in the database, in days (90d) or bytes (500MB, 10GB). Older entries are moved into archive files, which can be verified. Default: everything.',
    },
  },
} as const

const policy = {
  type: 'object',
  description: 'What calls may do before any rule and any person is asked.',
  additionalProperties: false,
  properties: {
    askAll: { type: 'boolean', default: false, description: 'Ask before every call, whatever its contract says.' },
    readOnly: { type: 'boolean', default: false, description: 'Deny every call that is not read_only.' },
    singleStep: {
      type: 'boolean',
      default: false,
      description:
        'One call for each query of a user. Without a query id, all calls of a session count as one query. Also set by --single-step.',
    },
    requireQuery: {
      type: 'boolean',
      default: false,
      description: 'Refuse calls that name no query. A query may make one call.',
    },
    dataFlow: {
      enum: ['ask', 'off'],
      description:
        'Ask before a session that has read private data, or text that others wrote, sends data to a host that is not allowed yet. Without this setting serve, chat and ask do so, and call and programs do not. --allow-sending turns it off where this is not set.',
    },
    sandbox: {
      enum: ['auto', 'required', 'off'],
      default: 'auto',
      description: 'Whether commands run in a bubblewrap sandbox: where it works, always or never.',
    },
    sandboxNetwork: {
      type: 'boolean',
      default: false,
      description: 'Let commands in the sandbox use the network.',
    },
    sandboxRead: {
      type: 'array',
      items: { ...name, pattern: '^(?:/|~(?:/|$))', description: 'An absolute path, or one that starts with ~/.' },
      description:
        'Folders and files that commands in the sandbox may read, beside the system, toolchains on the PATH and the working directory.',
    },
    sandboxUnixSockets: {
      type: 'boolean',
      default: false,
      description:
        'Let commands in the sandbox use Unix sockets, as tmux, tsx and forkserver in Python do. They then reach services whose sockets are in folders that they can read, and with sandboxNetwork all that have an abstract name.',
    },
    sandboxLimits: {
      type: 'object',
      description: 'What a command in the sandbox may use.',
      additionalProperties: false,
      properties: {
        processes: {
          type: 'integer',
          minimum: 16,
          maximum: 1_000_000,
          description: 'Processes and threads at once. Default: 4096.',
        },
        memoryMb: {
          type: 'integer',
          minimum: 64,
          maximum: 16_777_216,
          description:
            'Megabytes of memory, of all its processes together. Default: 8192, or three quarters of the machine if that is less.',
        },
        fileMb: {
          type: 'integer',
          minimum: 1,
          maximum: 16_777_216,
          description: 'Megabytes of each file that it writes. Default: 10240.',
        },
      },
    },
    allowHosts: {
      type: 'array',
      items: { ...name, description: 'A host or host:port.' },
      description: 'Hosts (host or host:port) that tools may fetch from although their addresses are private.',
    },
    keepEnvironment: {
      type: 'array',
      items: { ...name, description: 'Name of an environment variable.' },
      description: 'Environment variables that commands get even though they look like secrets.',
    },
  },
} as const

const http = {
  type: 'object',
  description: 'Where toolpact serve listens, and who may call.',
  additionalProperties: false,
  properties: {
    host: { ...name, default: '127.0.0.1', description: 'The address to listen on. --host overrides it.' },
    port: {
      type: 'integer',
      minimum: 0,
      maximum: 65_535,
      default: 7420,
      description: 'The port to listen on; 0 picks a free one. --port overrides it.',
    },
    hosts: {
      type: 'array',
      items: { ...name, pattern: '^[^\\s/]+$', description: 'A host or host:port.' },
      description: 'Names that requests may address the server by (the Host header), beside the address it listens on.',
    },
    origins: {
      type: 'array',
      items: { ...name, pattern: '^[a-z][a-z0-9+.-]*://[^\\s/]+$', description: 'Such as https://app.example.' },
      description: 'Web origins whose pages may send requests, beside the server itself.',
    },
    public: {
      type: 'boolean',
      default: false,
      description:
        'Serve tools without a token whose contract declares public access: those that only read, touch nothing and limit their calls.',
    },
    auth: {
      type: 'object',
      description: 'Accept signed tokens (JWT) of an issuer instead of the token that Toolpact creates.',
      additionalProperties: false,
      required: ['jwks', 'issuer', 'audience'],
      properties: {
        jwks: {
          ...name,
          description: "The issuer's public keys (a JWK set): an https address, or a file, relative to this one.",
        },
        issuer: { ...name, description: 'The required value of the claim iss.' },
        audience: { ...name, description: 'The value that the claim aud must be or contain.' },
        caller: {
          ...name,
          default: 'sub',
          description: 'The claim that names the caller, for limits, rules, callers and the ledger.',
        },
      },
    },
  },
} as const

const model = {
  type: 'object',
  description:
    'The model that toolpact ask, toolpact chat and tools such as transcript.clean use: any endpoint that is compatible with OpenAI.',
  additionalProperties: false,
  required: ['url', 'model'],
  properties: {
    url: {
      ...name,
      pattern: '^https?://[^\\s]+$',
      description: 'Its address, such as http://127.0.0.1:11434/v1. TOOLPACT_MODEL_URL overrides it.',
    },
    model: { ...name, description: 'The name of the model. TOOLPACT_MODEL overrides it.' },
    keyEnv: {
      ...name,
      pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
      description: 'Name of the environment variable that holds the key; never the key itself.',
    },
    timeoutMs: {
      type: 'integer',
      minimum: 1,
      default: 30_000,
      description: 'Milliseconds to wait for an answer; of a streamed answer, for its next token.',
    },
  },
} as const

/** What `toolpact export` writes. */
const formats = [
  'mcp',
  'openapi',
  'openai',
  'anthropic',
  'gemini',
  'markdown',
  'types',
  'validators',
  'contracts',
  'errors',
  'contract-schema',
  'config-schema',
] as const

export type Format = (typeof formats)[number]

/** The schema of `toolpact.json`, published as schemas/config.schema.json. docs/config.md explains each key. */
export const configSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Toolpact configuration',
  description: 'The settings in a toolpact.json. All are optional.',
  type: 'object',
  // Which keys are allowed here is only known once all toolsets are: see toolset-settings.ts.
  additionalProperties: { type: 'object', description: 'The settings of a toolset of your own, by its name.' },
  properties: {
    $schema: { type: 'string', description: 'Where an editor finds this schema.' },
    workspace: {
      ...name,
      description: 'The folder that tools work in, relative to this file. --workspace overrides it.',
    },
    toolsets: {
      type: 'array',
      items: { ...name, description: 'Name of a toolset.' },
      minItems: 1,
      uniqueItems: true,
      description:
        'The toolsets to use, MCP servers included. Default: all; for toolpact serve, what is configured, else workspace. --toolset overrides it.',
    },
    names: {
      enum: ['plain', 'dotted'],
      description:
        'How tools are named in the lists of MCP and REST: workspace_create_file, which every client and model accepts, or workspace.create_file. Calls accept both. Default: plain.',
    },
    ledger,
    redact: {
      type: 'array',
      items: { ...name, description: 'Name of an environment variable.' },
      description:
        'Environment variables whose values never reach the ledger, beside those that are named like secrets.',
    },
    policy,
    approval,
    approvers,
    groups,
    limits: {
      type: 'object',
      description:
        'Limits that override those of the contracts, by tool (learning.hello) or for each tool of a toolset (learning.*). A limit of the tool itself overrides that of its toolset.',
      propertyNames: { pattern: '^[A-Za-z][A-Za-z0-9_-]*\\.([*]|[A-Za-z][A-Za-z0-9_.:-]*)$' },
      additionalProperties: {
        type: 'object',
        description: 'The limits of one tool, or of each tool of a toolset.',
        additionalProperties: false,
        properties: limits,
      },
    },
    callers: {
      type: 'object',
      description:
        'Which tools each caller may use, and where its calls are asked about, by its name; "*" is any caller without such a setting of its own. Other tools are unknown to it. Callers without a list of tools may use every tool if there is no "*".',
      additionalProperties: {
        type: 'object',
        description: 'What one caller may use, and where its calls are asked about.',
        additionalProperties: false,
        minProperties: 1,
        properties: {
          tools: {
            type: 'array',
            items: {
              ...name,
              pattern: '^[A-Za-z*][A-Za-z0-9_.:*-]*$',
              description: 'The full id of a tool; * matches any characters, as in learning.* or *.read_*.',
            },
            description: 'The tools that it may use; an empty list allows none.',
          },
          approval: {
            type: 'object',
            description: 'How its calls that need approval are asked about.',
            additionalProperties: false,
            required: ['ask'],
            properties: { ask },
          },
        },
      },
    },
    generated: {
      type: 'object',
      description:
        'Files that toolpact export wrote: the path relative to this file, and the format. toolpact check reports which are out of date.',
      propertyNames: { pattern: '^(?!/)(?!(.*/)?\\.\\.(/|$))[^\\\\:]+$' },
      additionalProperties: { enum: formats, description: 'The format, as toolpact export names it.' },
    },
    http,
    model,
    agent,
    ...toolsetSettings,
    ...toFormer(),
    contracts: {
      type: 'array',
      items: { ...name, description: 'A folder, relative to this file.' },
      minItems: 1,
      uniqueItems: true,
      description: 'Folders of contracts and handlers of your own, each served as a toolset. --contracts adds one.',
    },
    living: {
      type: 'array',
      items: {
        ...name,
        pattern: '^(?!/)(?!(.*/)?\\.\\.(/|$))[^\\\\:]+$',
        description: 'A path, relative to this file.',
      },
      minItems: 1,
      uniqueItems: true,
      description: 'Markdown documents that must match the contracts. toolpact check reports where they do not.',
    },
    mcpServers: {
      type: 'object',
      description: 'MCP servers whose tools are served too, in the format of other clients.',
      propertyNames: { pattern: '^[A-Za-z][A-Za-z0-9_-]{0,63}$' },
      additionalProperties: mcpServer,
    },
    listWaitMs: {
      type: 'integer',
      minimum: 0,
      maximum: 600_000,
      description:
        'Milliseconds that the first list of tools waits for MCP servers whose tools are not known from an earlier start. Default: 8000.',
    },
    withoutOutputSchema: {
      enum: withoutOutputSchema,
      description:
        'What to do with tools of MCP servers that declare no output schema, unless the entry of the server sets it: quote their results as data, or leave the tools out. Default: refuse.',
    },
    catalogue: {
      enum: ['all', 'search'],
      description:
        'What MCP clients list: every tool, or search_tools and what their session has found. Default: all. --catalogue overrides it.',
    },
    lock: {
      enum: ['optional', 'required'],
      description:
        'Whether tools of MCP servers must be accepted into toolpact.lock before they can be used. required: tools that are not accepted, or whose server has changed its identity, are withheld. Default: optional.',
    },
    drift: {
      enum: ['keep', 'strict'],
      description:
        'What happens when an MCP server changes the definition of an accepted tool only in wording or in a call-compatible way. keep: the accepted definition stays in use and a review opens. strict: the tool is withheld until the change is accepted. Default: keep.',
    },
  },
} as const

type Former = {
  readonly [Key in keyof typeof formerKeys]: (typeof toolsetSettings)[(typeof formerKeys)[Key]]
}

function toFormer(): Former {
  const entries = Object.entries(formerKeys).map(([key, toolset]) => {
    const description = `The former name of ${toolset}. Write ${toolset} instead.`
    return [key, { ...toolsetSettings[toolset], description, deprecated: true }]
  })
  return Object.fromEntries(entries)
}
