/** How `toolpact ask` and `toolpact chat` put a model to work. */
export const agent = {
  type: 'object',
  description: 'How toolpact ask and toolpact chat use a model.',
  additionalProperties: false,
  properties: {
    protocol: {
      enum: ['tools', 'json'],
      default: 'tools',
      description:
        'How the model chooses a tool: tools uses function calling, json one JSON object, for models without function calling.',
    },
    tools: {
      type: 'integer',
      minimum: 1,
      // Endpoints take 128 functions, and one is for asking back.
      maximum: 127,
      default: 24,
      description: 'Max tools offered to the model. If there are more, those that fit the question best.',
    },
    freeFormOutput: {
      enum: ['people', 'chat', 'models'],
      description:
        'Who reads output of tools that declare no output schema: people only; the model of toolpact chat too, as quoted data; or also the model of toolpact ask --summarize. Default: chat asks once at a terminal, and no model reads it otherwise.',
    },
    gate: {
      type: 'object',
      description: 'Which questions are refused before any tool is looked up.',
      additionalProperties: false,
      properties: {
        defaults: {
          type: 'boolean',
          default: true,
          description: 'Whether questions with tokens that separate messages, such as <|im_start|>, are refused.',
        },
        maxCharacters: {
          type: 'integer',
          minimum: 1,
          maximum: 32_000,
          default: 16_000,
          description: 'How long a question may be.',
        },
        patterns: {
          type: 'array',
          maxItems: 200,
          description: 'Patterns of your own.',
          items: {
            type: 'object',
            description: 'A pattern that no question may match.',
            additionalProperties: false,
            required: ['name', 'pattern'],
            properties: {
              name: { type: 'string', minLength: 1, maxLength: 100, description: 'What it is called in refusals.' },
              pattern: {
                type: 'string',
                minLength: 1,
                maxLength: 1000,
                description:
                  'A regular expression without look-around and back-references. It is matched against the question unchanged, in lower case, and in lower case on one line.',
              },
              reason: {
                type: 'string',
                minLength: 1,
                maxLength: 500,
                description: 'A sentence for the person who asked.',
              },
            },
          },
        },
      },
    },
  },
} as const
