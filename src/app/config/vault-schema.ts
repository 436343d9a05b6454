import { name } from './name-schema.ts'

export const vault = {
  type: 'object',
  description:
    'The key that encrypts stored credentials: 32 bytes in base64. Without it, the environment variable TOOLPACT_VAULT_KEY, else a file in the state directory that Toolpact creates; on Postgres nothing is stored without a key.',
  additionalProperties: false,
  properties: {
    keyFile: { ...name, description: 'A file with the key, readable by this user only, relative to this one.' },
    keyEnv: {
      ...name,
      pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
      description: 'Name of the environment variable with the key.',
    },
    keyCommand: {
      type: 'array',
      items: { type: 'string', description: 'The program, or one of its arguments.' },
      minItems: 1,
      maxItems: 100,
      description: 'A program and its arguments, run without a shell. It prints the key within 10 s.',
    },
    formerKeyFiles: {
      type: 'array',
      items: { ...name, description: 'A file with a key, relative to this one.' },
      maxItems: 20,
      description:
        'Keys that were used before. What they encrypted is encrypted again with the new one when it is used, or all at once by toolpact connections rekey.',
    },
  },
} as const
