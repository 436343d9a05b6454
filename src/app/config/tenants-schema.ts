import { name } from './name-schema.ts'

/** The tenants of one server. docs/replicas.md explains them. */
export const tenants = {
  type: 'object',
  description:
    'Several tenants of one toolpact serve, which see nothing of each other. They need storage.postgres. Read at the start.',
  additionalProperties: false,
  required: ['by', 'names'],
  properties: {
    by: {
      enum: ['host', 'claim'],
      description:
        'What tells the tenant of a request: the host that it addresses, or a claim of its token, which needs http.auth.',
    },
    claim: {
      ...name,
      default: 'tenant',
      description:
        'The claim of a token that names its tenant. With http.auth every token needs it; with "by": "host" it must name the tenant of the host.',
    },
    names: {
      type: 'object',
      description: 'The tenants, by their names: lower-case letters, digits and -, at most 63. There are no others.',
      minProperties: 1,
      maxProperties: 1000,
      propertyNames: { pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$' },
      additionalProperties: {
        type: 'object',
        description: 'One tenant.',
        additionalProperties: false,
        properties: {
          folder: {
            ...name,
            description:
              'Its folder, relative to this file, with a toolpact.json and a toolpact.lock of its own. Its tools work in the folder workspace in it, unless its toolpact.json names another. Default: tenants/NAME.',
          },
          url: {
            ...name,
            pattern: '^https?://[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:[0-9]{1,5})?/?$',
            description:
              'Where people and clients reach it, such as https://acme.tools.example. Required with "by": "host".',
          },
        },
      },
    },
    maxOpen: {
      type: 'integer',
      minimum: 1,
      maximum: 1000,
      default: 50,
      description:
        'How many tenants are open at the same time, each with its MCP servers. The one that was idle longest makes room.',
    },
    idleMs: {
      type: 'integer',
      minimum: 1000,
      maximum: 86_400_000,
      default: 900_000,
      description: 'Milliseconds without a request or call after which a tenant is closed, until its next request.',
    },
    maxConnections: {
      type: 'integer',
      minimum: 2,
      maximum: 1000,
      default: 16,
      description: 'Connections to Postgres that all tenants of a server share. One tenant uses at most half of them.',
    },
  },
} as const
