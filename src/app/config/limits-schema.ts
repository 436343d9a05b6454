import type { Limits } from '../../contract/contract.ts'

/** The limits of contracts. */
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
    description: 'Max concurrent calls of a tool. Further calls wait.',
  },
  timeoutMs: { type: 'integer', minimum: 1, description: 'Milliseconds until a call times out.' },
  inputBytes: { type: 'integer', minimum: 2, description: 'Max bytes of input as JSON.' },
  outputBytes: { type: 'integer', minimum: 2, description: 'Max bytes of output as JSON.' },
} as const satisfies { readonly [Name in keyof Required<Limits>]: unknown }
