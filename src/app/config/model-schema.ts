import { name } from './name-schema.ts'

export const model = {
  type: 'object',
  description:
    'The model that toolpact ask, toolpact chat and tools such as transcript.clean use: any endpoint that is compatible with OpenAI.',
  additionalProperties: false,
  required: ['url', 'model'],
  properties: {
    url: {
      ...name,
      pattern: '^https?://[^\\s]+$',
      description: 'Its address, such as http://127.0.0.1:11434/v1. TOOLPACT_MODEL_URL overrides it.',
    },
    model: { ...name, description: 'The name of the model. TOOLPACT_MODEL overrides it.' },
    keyEnv: {
      ...name,
      pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
      description: 'Name of the environment variable that holds the key; never the key itself.',
    },
    timeoutMs: {
      type: 'integer',
      minimum: 1,
      default: 30_000,
      description: 'Milliseconds to wait for an answer; of a streamed answer, for its next token.',
    },
  },
} as const
