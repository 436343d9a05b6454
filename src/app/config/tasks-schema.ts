export const tasks = {
  type: 'object',
  description: 'When calls of MCP clients that support tasks become tasks, and how long these are kept.',
  additionalProperties: false,
  properties: {
    afterMs: {
      type: 'integer',
      minimum: 0,
      maximum: 600_000,
      default: 5000,
      description: 'Milliseconds after which a call that still runs is answered with a task, and continues.',
    },
    keepMs: {
      type: 'integer',
      minimum: 10_000,
      maximum: 2_592_000_000,
      default: 3_600_000,
      description: 'Milliseconds that the result of a task can be fetched after its end.',
    },
  },
} as const
