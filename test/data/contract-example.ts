import { defineTool, defineToolset } from '../../src/index.ts'

const measure = defineTool(
  {
    name: 'measure_text',
    description: 'Counts the words, lines or characters of a text.',
    risk: 'read_only',
    input: {
      type: 'object',
      additionalProperties: false,
      required: ['text'],
      properties: {
        text: { type: 'string', description: 'What to measure', maxLength: 100_000 },
        unit: { enum: ['words', 'lines', 'characters'], description: 'What to count', default: 'words' },
      },
    },
    output: {
      type: 'object',
      additionalProperties: false,
      required: ['count'],
      properties: { count: { type: 'integer', description: 'How many there are', minimum: 0 } },
    },
    errors: [{ code: 'text_blank', status: 422, when: 'The text is blank.', suggestion: 'Send some text.' }],
    limits: { calls: { count: 100, windowMs: 60_000 }, timeoutMs: 1000 },
    examples: [
      { input: { text: 'one two\nthree' }, output: { count: 3 } },
      { input: { text: 'one two\nthree', unit: 'lines' }, output: { count: 2 } },
      { input: { text: ' ' }, error: 'text_blank' },
    ],
  },
  ({ text, unit }, { fail }) => {
    if (text.trim() === '') return fail('text_blank', 'There is nothing to measure.')
    const separators = { words: /\s+/, lines: /\r?\n/, characters: /(?:)/u }
    return { count: text.trim().split(separators[unit]).length }
  },
)

export const texts = defineToolset('texts', [measure], { description: 'Small services for texts.' })
