import type { Limits } from '../../contract/contract.ts'

/** What a contract limits can be set here too, and nothing else. */
export const limits = {
  calls: {
    type: 'object',
    description: 'At most count calls by one caller in any span of windowMs, for each tool.',
    additionalProperties: false,
    required: ['count', 'windowMs'],
    properties: {
      count: { type: 'integer', minimum: 1, description: 'Calls in the span.' },
      windowMs: { type: 'integer', minimum: 1, description: 'Length of the span in milliseconds.' },
    },
  },
  concurrency: {
    type: 'integer',
    minimum: 1,
    description: 'How many calls of a tool may run at once; further ones wait their turn.',
  },
  timeoutMs: { type: 'integer', minimum: 1, description: 'Milliseconds until a call is ended.' },
  inputBytes: { type: 'integer', minimum: 2, description: 'Most bytes of input as JSON.' },
  outputBytes: { type: 'integer', minimum: 2, description: 'Most bytes of output as JSON.' },
} as const satisfies { readonly [Name in keyof Required<Limits>]: unknown }
