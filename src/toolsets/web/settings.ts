import type { Infer } from '../../contract/infer.ts'

const name = { type: 'string', minLength: 1 } as const

const url = { ...name, pattern: '^https?://[^\\s]+$' } as const

const keyEnv = {
  ...name,
  pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
  description: 'Name of the environment variable that holds the key; never the key itself.',
} as const

/** Settings of the toolset web-fetch. */
export const webSettings = {
  type: 'object',
  description: 'How the web is searched and fetched.',
  additionalProperties: false,
  properties: {
    userAgent: { ...name, description: 'The User-Agent header. WEB_FETCH_USER_AGENT overrides it.' },
    robots: {
      type: 'boolean',
      default: true,
      description: "Whether web.fetch keeps to what a site's robots.txt asks of robots.",
    },
    search: {
      type: 'object',
      description: 'The search provider for search.web.',
      additionalProperties: false,
      required: ['provider', 'url'],
      properties: {
        provider: { enum: ['litellm', 'searxng'], description: 'The kind of server at url.' },
        url: { ...url, description: 'The address of the server. For litellm, LITELLM_SEARCH_API_BASE overrides it.' },
        keyEnv,
        tool: { ...name, description: 'The name of the search tool in LiteLLM.' },
        timeoutMs: { type: 'integer', minimum: 1, default: 20_000, description: 'Milliseconds to wait for an answer.' },
      },
    },
  },
} as const

export type WebSettings = Infer<typeof webSettings>
