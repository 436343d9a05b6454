import { defineTool } from '../../contract/define-tool.ts'
import type { ModelServers } from './capability/model-servers.ts'

export const unload = defineTool(
  {
    name: 'mlx.unload',
    title: 'Unload a model',
    description:
      'Stops the model server on a port of the model machine and checks that it is gone. Requests in flight fail. ' +
      'A model that is still loading there is stopped too.',
    transport: 'mcp (stdio or http), rest',
    endpoint: 'mlxctl',
    risk: 'dangerous',
    input: {
      type: 'object',
      additionalProperties: false,
      required: ['port'],
      properties: {
        port: { type: 'integer', minimum: 8100, maximum: 8139, description: 'Port that the model is loaded on' },
      },
    },
    output: {
      type: 'object',
      additionalProperties: false,
      required: ['ok', 'message', 'port'],
      properties: {
        ok: { type: 'boolean', description: 'Whether the server is gone and the port closed' },
        message: { type: 'string', description: 'What happened, and what to do if it is not gone' },
        port: { type: 'integer', description: 'The port' },
      },
    },
    errors: [
      {
        code: 'invalid_port',
        status: 400,
        when: 'The port is not between 8100 and 8139.',
        suggestion: 'Use a port from 8100 to 8139.',
        inputs: ['port'],
      },
      {
        code: 'not_listening',
        status: 404,
        when: 'No model is loaded on the port.',
        suggestion: 'Check the port: it is the one that was given to mlx.load.',
      },
    ],
    limits: { timeoutMs: 120_000, inputBytes: 8192, outputBytes: 65_536 },
    effects: { sendsTo: ['operator'], returns: [] },
    summary: { access: 'Model machine', sideEffects: 'Stops a model server' },
    constraints: ['Returns ok only if the server is gone and its port is closed.'],
    examples: [{ title: 'A port outside the range', input: { port: 80 }, error: 'invalid_port' }],
  },
  async ({ port }, { signal }, { modelServers }: { modelServers: ModelServers }) => {
    const { gone, message } = await modelServers.unload(port, { signal })
    return { ok: gone, message, port }
  },
  { needs: ['modelServers'], validate: async ({ port }, _context, { modelServers }) => modelServers.checkUnload(port) },
)
