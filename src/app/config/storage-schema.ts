/** Where state is stored, if not in the state directory of this machine. */
export const storage = {
  type: 'object',
  description:
    'Where calls, approvals, rules and tokens are stored, for several servers that share them. Read at the start.',
  additionalProperties: false,
  required: ['postgres'],
  properties: {
    postgres: {
      type: 'string',
      minLength: 1,
      maxLength: 2000,
      description: `Address of a Postgres database, such as postgres://toolpact@db.example/toolpact. \${NAME} is replaced by an environment variable: keep the password in one, or in PGPASSWORD. TOOLPACT_POSTGRES overrides it.`,
    },
    tenant: {
      type: 'string',
      minLength: 1,
      maxLength: 200,
      default: 'default',
      description: 'Servers with the same tenant share their state; others in the same database see nothing of it.',
    },
  },
} as const
