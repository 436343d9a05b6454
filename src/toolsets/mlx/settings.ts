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
      description: 'Where mlxctl runs, as ssh names it (user@host). Default: on this machine.',
    },
    command: {
      type: 'array',
      items: { type: 'string', description: 'One word of the command.' },
      minItems: 1,
      description:
        'For mlxctl: how it is called, default ["mlxctl"]. For process: what to start, where {model}, {host} and {port} stand for their values.',
    },
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

export type MlxSettings = Infer<typeof mlxSettings>
