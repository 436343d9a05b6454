import { defineTool, nothingToValidate } from '../../contract/define-tool.ts'

export const hello = defineTool(
  {
    name: 'hello',
    description: 'A simple greeting tool for testing MCP connectivity.',
    risk: 'read_only',
    input: {
      type: 'object',
      additionalProperties: false,
      required: ['name'],
      properties: { name: { type: 'string', description: 'Name to greet', maxLength: 100 } },
    },
    output: {
      type: 'object',
      additionalProperties: false,
      required: ['greeting'],
      properties: { greeting: { type: 'string', description: 'The greeting' } },
    },
    effects: { returns: [] },
    summary: { access: 'Public', sideEffects: 'None' },
    constraints: ['No side effects', 'Always returns successfully', 'For testing only'],
    examples: [{ input: { name: 'Ada' }, output: { greeting: 'Hello, Ada!' } }],
  },
  ({ name }) => ({ greeting: `Hello, ${name}!` }),
  { validate: nothingToValidate, checkedByRun: true },
)
