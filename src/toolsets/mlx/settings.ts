import type { Infer } from '../../contract/infer.ts'

const name = { type: 'string', minLength: 1 } as const

/** Settings of the toolset mlxctl. */
export const mlxSettings = {
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
      description: 'The ssh destination (user@host) on which mlxctl runs. Default: on this machine.',
    },
    command: {
      type: 'array',
      items: { type: 'string', description: 'One word of the command.' },
      minItems: 1,
      description:
        'For mlxctl: its command, default ["mlxctl"]. For process: the command to start, in which {model}, {host} and {port} are replaced.',
    },
    host: { ...name, default: '127.0.0.1', description: 'The address on which the servers listen.' },
    loadTimeoutMs: {
      type: 'integer',
      minimum: 1,
      maximum: 3_000_000,
      default: 300_000,
      description: 'Time limit for the first answer of a model, in milliseconds.',
    },
  },
} as const

export type MlxSettings = Infer<typeof mlxSettings>
