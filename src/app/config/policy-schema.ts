import { name } from './name-schema.ts'

export const policy = {
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
      description: 'Whether commands run in a sandbox (bubblewrap or Seatbelt): where it works, always or never.',
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
