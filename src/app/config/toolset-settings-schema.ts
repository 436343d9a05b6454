const name = { type: 'string', minLength: 1 } as const

const url = { ...name, pattern: '^https?://[^\\s]+$' } as const

const keyEnv = {
  ...name,
  pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
  description: 'Name of the environment variable that holds the key; never the key itself.',
} as const

const command = (description: string) =>
  ({
    type: 'array',
    items: { type: 'string', description: 'One word of the command.' },
    minItems: 1,
    description,
  }) as const

/** Settings of the toolset web-fetch. */
export const web = {
  type: 'object',
  description: 'How the web is searched and fetched.',
  additionalProperties: false,
  properties: {
    userAgent: { ...name, description: 'What servers are told who asks. WEB_FETCH_USER_AGENT goes before it.' },
    robots: {
      type: 'boolean',
      default: true,
      description: "Whether web.fetch keeps to what a site's robots.txt asks of robots.",
    },
    search: {
      type: 'object',
      description: 'Who answers search.web.',
      additionalProperties: false,
      required: ['provider', 'url'],
      properties: {
        provider: { enum: ['litellm', 'searxng'], description: 'What speaks at the address.' },
        url: { ...url, description: 'Where it is. For litellm, LITELLM_SEARCH_API_BASE goes before it.' },
        keyEnv,
        tool: { ...name, description: 'The name of the search tool in LiteLLM.' },
        timeoutMs: { type: 'integer', minimum: 1, default: 20_000, description: 'Milliseconds to wait for an answer.' },
      },
    },
  },
} as const

/** Settings of the toolset transcript-clean. */
export const transcript = {
  type: 'object',
  description: 'How transcript.clean works.',
  additionalProperties: false,
  properties: {
    model: { ...name, description: 'The model for transcripts, where it is not the one in model.' },
    rulesOnly: { type: 'boolean', default: false, description: 'Clean by rules alone, and ask no model.' },
  },
} as const

/** Settings of the toolset mlxctl. */
export const mlx = {
  type: 'object',
  description: 'How model servers are started and stopped.',
  additionalProperties: false,
  properties: {
    driver: {
      enum: ['mlxctl', 'process'],
      default: 'mlxctl',
      description: 'mlxctl: its command line does the work. process: Toolpact starts the servers itself.',
    },
    ssh: {
      ...name,
      pattern: '^[A-Za-z0-9_\\[][A-Za-z0-9_.@:/%\\[\\]-]*$',
      description: 'Where mlxctl runs, as ssh names it (user@host). Default: on this machine.',
    },
    command: command(
      'For mlxctl: how it is called, default ["mlxctl"]. For process: what to start, where {model}, {host} and {port} stand for their values.',
    ),
    host: { ...name, default: '127.0.0.1', description: 'The address at which the servers answer.' },
    loadTimeoutMs: {
      type: 'integer',
      minimum: 1,
      maximum: 3_000_000,
      default: 300_000,
      description: 'Milliseconds until a model must have answered.',
    },
  },
} as const
