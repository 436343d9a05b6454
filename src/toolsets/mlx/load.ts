import { defineTool } from '../../contract/define-tool.ts'
import { printable } from '../../contract/text/printable.ts'
import type { ModelServers } from './capability/model-servers.ts'

export const load = defineTool(
  {
    name: 'mlx.load',
    title: 'Load a model',
    description:
      'Loads a language model on a port of the model machine and waits until it has answered, which may take minutes. ' +
      'Then it answers OpenAI-compatible requests there. Ports 8100 to 8119 are lanes of teams, 8120 to 8139 are for ' +
      'experiments. A port holds one model: end it with mlx.unload before you load another there.',
    transport: 'mcp (stdio or http), rest',
    endpoint: 'mlxctl',
    risk: 'dangerous',
    input: {
      type: 'object',
      additionalProperties: false,
      required: ['model', 'port'],
      properties: {
        model: { type: 'string', minLength: 1, description: 'Name of the model, as the server knows it' },
        port: { type: 'integer', minimum: 8100, maximum: 8139, description: 'Port that it shall answer on' },
      },
    },
    output: {
      type: 'object',
      additionalProperties: false,
      required: ['ok', 'message', 'port', 'model'],
      properties: {
        ok: { type: 'boolean', description: 'Always true: the model has answered' },
        message: { type: 'string', description: 'What happened' },
        port: { type: 'integer', description: 'Port that it answers on' },
        model: { type: 'string', description: 'Name of the model' },
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
        code: 'model_not_found',
        status: 404,
        when: 'The server does not know the model.',
        suggestion: 'Check the name of the model, or download it first.',
      },
      {
        code: 'port_busy',
        status: 409,
        when: 'A model is loaded or being loaded on the port, or something else listens there.',
        suggestion: 'Use another port from 8100 to 8139, or stop the model there with mlx.unload.',
      },
      {
        code: 'launch_failed',
        status: 500,
        when: 'The server could not be started, exited, or did not answer in time. Nothing of it is left running.',
        suggestion: 'Try a smaller model, or ask the operator to check mlx in the config.',
      },
    ],
    // More than the maximum of mlxctl.loadTimeoutMs.
    limits: { timeoutMs: 3_600_000, inputBytes: 8192, outputBytes: 65_536 },
    effects: { sendsTo: ['operator'], returns: [] },
    summary: { access: 'Model machine', sideEffects: 'Starts a model server' },
    constraints: [
      'A model is loaded once it has answered a question.',
      'A load that fails or is cancelled leaves no process and no port.',
      'A server outlives its caller, until mlx.unload stops it.',
    ],
    examples: [
      {
        title: 'A port outside the range',
        input: { model: 'mlx-community/Qwen3-4B-4bit', port: 8140 },
        error: 'invalid_port',
      },
    ],
  },
  async ({ model, port }, { signal, progress }, { modelServers }: { modelServers: ModelServers }) => {
    const message = `Loading ${printable(model)} on port ${port}`
    progress({ progress: 0, message })
    await modelServers.load(model, port, {
      signal,
      onProgress: (seconds) => progress({ progress: seconds, message: `${message} (${seconds} s)` }),
    })
    return { ok: true, message: `${printable(model)} answers on port ${port}.`, port, model }
  },
  {
    needs: ['modelServers'],
    validate: async ({ model, port }, _context, { modelServers }) => modelServers.checkLoad(model, port),
  },
)
