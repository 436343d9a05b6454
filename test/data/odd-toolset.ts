import type { ContractSource } from '../../src/contract/contract.ts'
import { defineTool } from '../../src/contract/define-tool.ts'
import { defineToolset } from '../../src/contract/define-toolset.ts'
import type { Tool } from '../../src/contract/tool.ts'

const closed = { type: 'object', additionalProperties: false } as const
const nothing = { ...closed, properties: {} } as const

/** Tools with odd names, odd schemas and every kind of failure, for tests of projections. */
export const oddToolset = defineToolset(
  'odd',
  [
    define({ name: 'search.web' }, () => ({})),
    define({ name: 'search_web', risk: 'safe_write', approval: 'never' }, () => ({})),
    define({ name: 'Search-Web.v2', status: 'deprecated' }, () => ({})),
    define(
      {
        name: 'tree',
        input: {
          ...closed,
          required: ['root'],
          properties: { root: { $ref: '#/$defs/a node', description: 'Where the tree begins' } },
          $defs: {
            'a node': {
              ...closed,
              required: ['value'],
              properties: {
                value: { type: ['string', 'null'], maxLength: 8 },
                children: { type: 'array', maxItems: 3, items: { $ref: '#/$defs/a node' } },
              },
            },
          },
        },
        output: {
          ...closed,
          required: ['depth', 'first'],
          properties: {
            depth: { type: 'integer', minimum: 1 },
            first: { $ref: '#/$defs/first' },
            same: { $ref: '#/properties/depth' },
          },
          $defs: { first: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
        },
      },
      (input) => {
        const { root } = input as unknown as { root: Node }
        return { depth: depthOf(root), same: 1, first: root.value }
      },
    ),
    define(
      {
        name: 'forms',
        input: {
          ...closed,
          required: ['kind', 'pair'],
          properties: {
            kind: { enum: ['a', 'b', null], description: 'Which' },
            pair: {
              type: 'array',
              prefixItems: [{ type: 'string' }, { type: 'integer' }],
              items: false,
              minItems: 2,
              description: 'Two of them',
            },
            map: {
              type: 'object',
              additionalProperties: { type: 'integer' },
              maxProperties: 2,
              description: 'By name',
            },
            choice: { oneOf: [{ type: 'boolean' }, { type: 'number', exclusiveMinimum: 0 }], description: 'Either' },
            code: { type: 'string', pattern: '^[a-z]{2,4}$', default: 'abc', description: 'Letters' },
            when: { type: 'string', format: 'date-time', description: 'A time' },
            fixed: { const: { a: 1 }, description: 'Always the same' },
          },
          dependentRequired: { map: ['choice'] },
        },
        examples: [{ input: { kind: null, pair: ['x', 1] }, output: {} }],
      },
      () => ({}),
    ),
    define(
      {
        name: 'old',
        input: {
          $schema: 'http://json-schema.org/draft-07/schema#',
          ...closed,
          required: ['pair'],
          properties: {
            pair: {
              type: 'array',
              items: [{ type: 'string' }, { $ref: '#/definitions/number' }],
              additionalItems: false,
            },
            number: { $ref: '#/definitions/number' },
          },
          dependencies: { number: ['pair'] },
          definitions: { number: { type: 'number', maximum: 5 } },
        },
      },
      () => ({}),
    ),
    define({ name: 'twice_an_hour', limits: { calls: { count: 2, windowMs: 3_600_000 } } }, () => ({})),
    define({ name: 'too_slow', limits: { timeoutMs: 20 } }, (_input, { signal }) => untilAborted(signal)),
    define({ name: 'throws' }, () => {
      throw new Error('Secret.')
    }),
    define({ name: 'breaks_contract', risk: 'dangerous', approval: 'never' }, () => ({ more: 1 })),
    define({ name: 'asks', risk: 'dangerous' }, () => ({})),
    define(
      {
        name: 'fails',
        input: {
          ...closed,
          required: ['code'],
          properties: { code: { enum: ['teapot', 'later', 'down', 'gone', 'locked'] } },
        },
        errors: [
          { code: 'teapot', status: 418, when: 'It is a teapot.', suggestion: 'Make tea.' },
          { code: 'later', status: 429, when: 'It is too early.', suggestion: 'Wait.' },
          { code: 'down', status: 503, when: 'It is down.', suggestion: 'Wait.' },
          { code: 'locked', status: 401, when: 'It is locked.', suggestion: 'Unlock it.' },
          { code: 'gone', status: 404, when: 'It is gone.', suggestion: 'Look elsewhere.' },
        ],
      },
      ({ code }, { fail }) => fail(String(code), 'As you wish.', code === 'gone' ? {} : { retryAfterMs: 1500 }),
    ),
    define({ name: 'planned', status: 'planned' }, () => ({})),
    // Two of its names are similar on purpose.
  ],
  { strict: false },
)

interface Node {
  readonly value: string | null
  readonly children?: readonly Node[]
}

function define(changes: Partial<ContractSource> & { name: string }, run: Tool['run']): Tool {
  const source = {
    description: 'Is an odd tool.',
    risk: 'read_only',
    input: nothing,
    output: nothing,
    ...changes,
  } as const
  return defineTool(source as ContractSource, run as never) as Tool
}

function depthOf({ children = [] }: Node): number {
  return 1 + Math.max(0, ...children.map(depthOf))
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
}
