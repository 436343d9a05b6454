import type { Contract, Risk } from '../../contract/contract.ts'
import { hostPattern } from '../../policy/granted-hosts.ts'
import { limits } from './limits-schema.ts'
import { name } from './name-schema.ts'

const textByName = (description: string) =>
  ({ type: 'object', description, additionalProperties: { type: 'string' } }) as const

const toolNames = (description: string) =>
  ({ type: 'array', description, uniqueItems: true, items: { ...name, description: 'Name of a tool.' } }) as const

const overHttp = ['http', 'streamable-http', 'streamableHttp', 'sse'] as const
const risks = ['read_only', 'safe_write', 'dangerous'] as const satisfies readonly Risk[]
const approvals = ['never', 'ask'] as const satisfies readonly Contract['approval'][]

const folders = (description: string) =>
  ({ type: 'array', description, maxItems: 100, items: { ...name, description: 'A path.' } }) as const

/** Whether the processes of servers are confined: a setting per server, and for all. */
export const isolationModes = ['auto', 'required', 'off'] as const

/** How to treat tools without an output schema: a setting per server, and for all. */
export const withoutOutputSchema = ['opaque', 'refuse'] as const

/**
 * Keys of other clients that have no effect here. None of them restricts anything: a key that does (`disabledTools`) is
 * rejected, since its restriction would not be applied.
 */
export const foreignServerKeys: readonly string[] = [
  'alwaysAllow',
  'alwaysApprove',
  'auth',
  'autoApprove',
  'envFile',
  'oauth',
  'timeout',
  'transport',
  'transportType',
  'trust',
]

/** Descriptive keys, which are not expected to have an effect. */
const foreignNotes = ['description', 'dev', 'gallery', 'icon', 'id', 'metadata', 'name', 'note', 'version']

/** Not part of the type of a config, since their values may be any JSON. */
const foreign: object = {
  patternProperties: {
    [`^(${[...foreignServerKeys, ...foreignNotes].join('|')})$`]: {
      description: 'A key of another client, accepted so that its entry can be pasted. It has no effect.',
    },
  },
}

const untyped: object = {
  overlays: {
    type: 'object',
    description: 'Output schemas for tools, by name, in place of their own. toolpact mcp adopt keeps them in the lock.',
    additionalProperties: {
      type: 'object',
      description: 'What is attached to one tool.',
      additionalProperties: false,
      required: ['output'],
      properties: { output: { type: 'object', description: 'A JSON Schema of type object.' } },
    },
  },
}

/** What a confined process may touch. */
const grants = {
  read: folders('Folders and files that it may read, relative to this file; ~ is your home directory.'),
  write: folders('Folders that it may read and write.'),
  network: {
    description: 'What it may connect to. Default for a confined server: none.',
    anyOf: [
      { enum: ['none', 'any'], description: 'Nothing, or the whole network of this machine.' },
      {
        type: 'array',
        maxItems: 100,
        description: 'Hosts, at the ports 80 and 443, or as host:port. *.example.com stands for all names below it.',
        items: { ...name, pattern: hostPattern, description: 'A host.' },
      },
    ],
  },
} as const

/** An entry of `contracts` that says what its handlers may touch. */
export const contractFolder = {
  type: 'object',
  description: 'A folder whose handlers run in a process of their own, confined to read, write and network.',
  additionalProperties: false,
  required: ['path'],
  properties: {
    path: { ...name, description: 'The folder, relative to this file.' },
    isolation: {
      enum: isolationModes,
      description:
        'Whether its handlers are confined: auto where a sandbox works and the entry names read, write or network, required always or not at all. Default: auto.',
    },
    env: textByName(`Environment variables that its handlers get; \${NAME} is replaced by one of ours.`),
    ...grants,
  },
} as const

/** An entry of `mcpServers`: the address, in the format of other clients, and settings for its tools. */
export const mcpServer = {
  type: 'object',
  description: 'A server that is started by a command, or one that is reached by its url.',
  additionalProperties: false,
  properties: {
    command: { ...name, description: 'The program to run. It speaks MCP on stdin and stdout.' },
    args: { type: 'array', items: { type: 'string' }, description: 'Its arguments, one by one.' },
    env: textByName(`Environment variables that it gets; \${NAME} is replaced by one of ours.`),
    cwd: { ...name, description: 'The folder that it runs in, relative to this file.' },
    url: {
      ...name,
      pattern: '^(https?://|\\$\\{)[^\\s]+$',
      description: 'The address of a server that is reached over HTTP.',
    },
    authorization: {
      type: 'object',
      description:
        'How callers are authorized at a server that requires a login (OAuth). toolpact mcp add sets it, and toolpact connections add logs in.',
      additionalProperties: false,
      properties: {
        mode: {
          enum: ['user', 'service', 'exchange'],
          description:
            'user: each caller has a connection of their own. service: Toolpact has one for all, by client credentials. exchange: the signed token (JWT) of each caller is exchanged for one of the server. Default: user.',
        },
        issuer: {
          ...name,
          pattern: '^https?://[^\\s]+$',
          description: 'Who issues tokens. Default: as the server says.',
        },
        quirks: {
          enum: ['none', 'entra', 'google'],
          description: 'How the issuer differs from the specification. Default: by its host.',
        },
        clientId: {
          ...name,
          description:
            'A client that was created at the issuer. Default: the metadata that this server publishes, if it has an https publicUrl and the issuer reads such, else the issuer is asked to register one.',
        },
        clientSecret: {
          ...name,
          description: `Its secret, if it has one: write \${NAME} for an environment variable.`,
        },
        privateKey: {
          ...name,
          description: `Its private key in PEM, in place of a secret: write \${NAME} for an environment variable.`,
        },
        scopes: {
          type: 'array',
          items: { ...name, pattern: '^[!#-\\[\\]-~]+$', description: 'A scope.' },
          maxItems: 100,
          description: 'What to ask for. Default: as the server says.',
        },
        resource: {
          anyOf: [
            { ...name, description: 'The identifier.' },
            { const: false, description: 'It is not sent.' },
          ],
          description: 'The identifier of the server at its issuer (RFC 8707). Default: as the server says.',
        },
        audience: { ...name, description: 'The name of the server at its issuer, for exchange (RFC 8693).' },
      },
    },
    headers: textByName(`Headers of every request; \${NAME} is replaced by an environment variable.`),
    type: {
      enum: ['stdio', ...overHttp],
      description: 'The transport. Needed only for sse, the older HTTP transport.',
    },
    isolation: {
      enum: isolationModes,
      description:
        'Whether its process is confined to read, write and network: auto where a sandbox works and the entry names at least one of them, required always or not at all. Default: the setting of the same name at the top level.',
    },
    container: {
      ...name,
      description: 'Run the command in a container of this image, with docker or podman, as the way of confining it.',
    },
    ...grants,
    disabled: { type: 'boolean', description: 'Do not start the server or list its tools.' },
    start: {
      enum: ['eager', 'lazy'],
      description:
        'Start it at once, or when its tools are first needed. Default: eager where they are served, else lazy.',
    },
    startupMs: {
      type: 'integer',
      minimum: 1,
      maximum: 600_000,
      description: 'Timeout in milliseconds to start and to list its tools. Default: 30000.',
    },
    installMs: {
      type: 'integer',
      minimum: 1,
      maximum: 3_600_000,
      description:
        'Milliseconds that a launcher such as npx, uvx or docker run may take to install it, before startupMs counts. Default: 600000.',
    },
    protocol: {
      enum: ['2025-11-25', '2026-07-28'],
      description: 'The revision of MCP to try first. The other one is tried if that is refused.',
    },
    withoutOutputSchema: {
      enum: withoutOutputSchema,
      description:
        'What to do with tools that declare no output schema: quote their results as data, or leave the tools out. Default: the setting of the same name at the top level.',
    },
    text: {
      enum: ['checked', 'server'],
      description:
        'What clients are shown of a declared output: JSON of what was checked, or the text that the server sends beside it, for a server that you trust. Default: checked.',
    },
    responses: {
      enum: ['tolerant', 'strict'],
      description:
        'What to do with a result without isError: treat it as a success and note it, or as a violation of the contract. Default: tolerant.',
    },
    tools: toolNames('The only tools that may be used; an empty list allows none. Default: all that are admitted.'),
    exclude: toolNames('Tools that may not be used.'),
    prompts: { type: 'boolean', description: 'Whether its prompts may be used. Default: true.' },
    resources: { type: 'boolean', description: 'Whether its resources may be read. Default: true.' },
    roots: {
      enum: ['workspace', 'client'],
      description:
        'What the server is told if it asks for roots: the folder of the workspace, or the roots of the client that makes the call. Default: nothing.',
    },
    sampling: {
      type: 'object',
      description: 'Let the server ask a model during its calls. Default: refused.',
      additionalProperties: false,
      required: ['through'],
      properties: {
        through: { enum: ['client', 'model'], description: "The client's model, or the model of this config." },
        approval: {
          enum: ['ask', 'never'],
          description:
            'Whether a person approves each request. Without, only the client may ask its user. Default: ask.',
        },
        maxTokens: {
          type: 'integer',
          minimum: 1,
          maximum: 100_000,
          description: 'Limit for an answer. Default: 1000.',
        },
      },
    },
    risk: perTool(
      risks,
      'The risk of every tool, or of each that is named. Default: dangerous; with approval reads, read_only where the server claims it.',
    ),
    approval: perTool(
      approvals,
      'Whether calls ask, for every tool or for each that is named; reads: believe what the server claims, so that tools that look like reads by name and annotation do not ask, and others do. Default: every call asks, except of tools whose risk is set to read_only here.',
      ['reads', ...approvals],
    ),
    limits: {
      type: 'object',
      description: 'Limits of each of its tools. Overridden by "limits" at the top level of this file.',
      additionalProperties: false,
      properties: limits,
    },
    ...untyped,
  },
  ...foreign,
  oneOf: [
    { required: ['command'], properties: { command: { type: 'string' }, type: { const: 'stdio' } } },
    { required: ['url'], properties: { url: { type: 'string' }, type: { enum: overHttp } } },
    // Disables a server of the same name that is configured for every folder.
    {
      required: ['disabled'],
      // No type is named off: the others tell the two forms above apart, also in messages.
      properties: { disabled: { const: true }, type: { const: 'off' } },
      not: { anyOf: [{ required: ['command'] }, { required: ['url'] }] },
    },
  ],
  dependentRequired: {
    args: ['command'],
    env: ['command'],
    cwd: ['command'],
    isolation: ['command'],
    container: ['command'],
    read: ['command'],
    write: ['command'],
    network: ['command'],
    headers: ['url'],
    authorization: ['url'],
  },
} as const

function perTool<const Values extends readonly string[], const All extends readonly string[] = Values>(
  values: Values,
  description: string,
  all = values as unknown as All,
) {
  return {
    description,
    anyOf: [
      { enum: all, description: 'For every tool.' },
      {
        type: 'object',
        description: 'By the name of the tool.',
        additionalProperties: { enum: values, description: 'For this tool.' },
      },
    ],
  } as const
}
