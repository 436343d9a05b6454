import { defineTool, nothingToValidate } from '../../contract/define-tool.ts'

export const hello = defineTool(
  {
    name: 'hello',
    description: 'Returns a greeting message. Use for testing MCP connectivity.',
    risk: 'read_only',
    input: {
      type: 'object',
      additionalProperties: false,
      properties: { name: { type: 'string', description: 'Name to greet', default: 'World' } },
    },
    output: {
      type: 'object',
      additionalProperties: false,
      required: ['message', 'timestamp'],
      properties: {
        message: { type: 'string', description: 'Greeting message' },
        timestamp: { type: 'string', format: 'date-time', description: 'Server timestamp' },
      },
    },
    limits: { calls: { count: 100, windowMs: 60_000 }, inputBytes: 65_536 },
    effects: { returns: [] },
    summary: { access: 'Public', sideEffects: 'None' },
    constraints: ['No authentication required', 'Rate limit: 100 requests/minute', 'Safe: No side effects'],
    examples: [
      {
        input: { name: 'Learner' },
        output: { message: 'Hello, Learner!', timestamp: '2026-01-09T10:30:00Z' },
        varies: ['/timestamp'],
      },
      {
        title: 'The name has a default',
        input: {},
        output: { message: 'Hello, World!', timestamp: '2026-01-09T10:30:00Z' },
        varies: ['/timestamp'],
      },
    ],
  },
  ({ name }) => ({ message: `Hello, ${name}!`, timestamp: new Date().toISOString() }),
  { validate: nothingToValidate, checkedByRun: true },
)
