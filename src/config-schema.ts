/** What `toolpact.json` may hold; published as schemas/config.schema.json. */
export const configSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Toolpact configuration',
  type: 'object',
  additionalProperties: false,
  properties: {
    $schema: { type: 'string', description: 'Where an editor finds this schema.' },
    ledger: {
      type: 'object',
      additionalProperties: false,
      properties: {
        fsync: {
          enum: ['writes', 'all'],
          default: 'writes',
          description: 'Which calls wait for the disk: those that change something, or all.',
        },
      },
    },
    redact: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      description:
        'Environment variables whose values never reach the ledger, beside those that are named like secrets.',
    },
    policy: {
      type: 'object',
      additionalProperties: false,
      properties: {
        askAll: { type: 'boolean', default: false, description: 'Ask before every call, whatever its contract says.' },
        readOnly: { type: 'boolean', default: false, description: 'Deny every call that is not read_only.' },
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
        allowHosts: {
          type: 'array',
          items: { type: 'string', minLength: 1 },
          description: 'Hosts (host or host:port) that tools may fetch from although their addresses are private.',
        },
        keepEnvironment: {
          type: 'array',
          items: { type: 'string', minLength: 1 },
          description: 'Environment variables that commands get even though they look like secrets.',
        },
      },
    },
  },
} as const
