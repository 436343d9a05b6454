import fc from 'fast-check'
import type { Contract, ContractSource } from '../../src/contract/contract.ts'
import { defineTool } from '../../src/contract/define-tool.ts'
import { placePattern } from '../../src/contract/forms.ts'

/** Characters with a meaning in Markdown, HTML, JSON or a terminal. */
const hostile = fc.constantFrom(
  '```',
  '````json\n{}\n````',
  '~~~',
  '`',
  '``a`b``',
  '`"x"`',
  '|',
  '| a | b |\n|---|---|\n| c | d |',
  '# Heading',
  '## other.tool\n\n- name: `other`',
  'Heading\n=====',
  '---',
  '**Input schema**',
  '- item',
  '- name: `other`',
  '1. one',
  '> quote',
  '    indented',
  '\tindented',
  ' ',
  '  ',
  '\n',
  '\n\n',
  '\r\n',
  '<b>',
  '<!-- -->',
  '<script>',
  '&amp;',
  '&#10;',
  '[a]: b',
  '[a](b)',
  '![a](b)',
  '[gap]',
  '*a*',
  '_a_',
  '__a__',
  '\\',
  '\\`',
  '$&',
  '\u2028',
  '\u202e',
  '\u200b',
  '\u0000',
  '\u001b[31m',
  '\ufeff',
  '\ud83d\ude42',
  'é',
  'e\u0301',
  'Never modifies: only reads.',
  'Rate limit: 5 calls/minute',
  'Requires approval',
  'No side effects',
  'a',
  'None',
  ':',
)

const text = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: hostile },
      { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 8 }) },
    ),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((parts) => parts.join(''))
  .filter((joined) => joined !== '' && joined.isWellFormed())

const key = fc
  .oneof(fc.constantFrom('path', 'a', 'type', 'required', 'properties', '0', 'ünï'), text)
  .filter((name) => name !== '__proto__')

const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    text,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (Object.is(number, -0) ? 0 : number)),
    fc.constantFrom(null, true, false),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value

const object = fc.dictionary(key, json, { maxKeys: 3, noNullPrototype: true }) as fc.Arbitrary<Record<string, never>>

const property = fc.record(
  {
    type: fc.constantFrom('string', 'integer', 'boolean'),
    description: text,
    default: json,
    enum: fc.array(json, { minLength: 1, maxLength: 2 }),
  },
  { requiredKeys: ['type'] },
)

const schema = fc
  .record({
    properties: fc.dictionary(key, property, { maxKeys: 3, noNullPrototype: true }),
    closed: fc.boolean(),
    more: object,
  })
  .map(({ properties, closed, more }) => ({
    type: 'object' as const,
    properties,
    required: Object.keys(properties).slice(0, 1),
    additionalProperties: !closed,
    examples: [more],
  }))

const letters = fc.constantFrom('a', 'B', 'z', '_', '.', '-', '0', 'input', 'schema', 'name', 'status')
const name = fc
  .tuple(fc.constantFrom('a', 'Tool', 'input', 'constraints'), fc.array(letters, { maxLength: 5 }))
  .map(([first, rest]) => first + rest.join(''))

export const toolsetNames = name.map((made) => made.replaceAll('.', '_'))

const code = fc.constantFrom('not_found', 'timeout', 'a1_b2', 'invalid_input')

const example = fc.record(
  {
    title: text,
    given: fc.record({ files: fc.dictionary(key, text, { maxKeys: 2, noNullPrototype: true }) }),
    input: object,
    varies: fc.constant(['/a']),
  },
  { requiredKeys: ['input'] },
)

const place = fc.oneof(
  fc.constantFrom(
    'mcp (stdio)',
    'web-fetch',
    'mcp, rest (default)',
    '(default)',
    'https://a.example/b c',
    '"a"',
    '`a`',
  ),
  text.filter((made) => new RegExp(placePattern, 'u').test(made)),
)

const source = fc.record(
  {
    name,
    title: text,
    description: text,
    version: fc.constantFrom('1.0.0', '0.1.0-beta.1+build.5'),
    status: fc.constantFrom('active', 'planned', 'deprecated'),
    transport: place,
    endpoint: fc.oneof(toolsetNames, place),
    risk: fc.constantFrom('read_only', 'safe_write', 'dangerous'),
    approval: fc.constantFrom('never', 'ask'),
    input: schema,
    output: schema,
    errors: fc.uniqueArray(
      fc.record(
        {
          code,
          status: fc.integer({ min: 400, max: 599 }),
          when: text,
          suggestion: text,
          inputs: fc.array(text, { minLength: 1, maxLength: 2 }),
        },
        { requiredKeys: ['code', 'status', 'when', 'suggestion'] },
      ),
      { maxLength: 3, selector: (error) => error.code },
    ),
    limits: fc.record(
      {
        calls: fc.record({ count: fc.integer({ min: 1 }), windowMs: fc.integer({ min: 1 }) }),
        concurrency: fc.integer({ min: 1 }),
        timeoutMs: fc.integer({ min: 1 }),
        inputBytes: fc.integer({ min: 2 }),
      },
      { requiredKeys: [] },
    ),
    effects: fc.record(
      {
        reads: fc.array(text, { maxLength: 2 }),
        writes: fc.array(text, { maxLength: 2 }),
        fetches: fc.array(text, { maxLength: 1 }),
        runs: fc.array(text, { maxLength: 1 }),
      },
      { requiredKeys: [] },
    ),
    summary: fc.oneof(
      fc.constantFrom(
        { access: 'None declared', sideEffects: 'None' },
        { access: 'Files', sideEffects: 'Writes files' },
      ),
      fc.record({ access: text, sideEffects: text }),
    ),
    constraints: fc.array(text, { minLength: 1, maxLength: 4 }),
    examples: fc.array(
      fc.oneof(
        example.map((one) => ({ ...one, error: 'not_found' })),
        fc.tuple(example, object).map(([one, output]) => ({ ...one, output })),
      ),
      { maxLength: 2 },
    ),
  },
  { requiredKeys: ['name', 'description', 'risk', 'input', 'output'] },
)

/** Contracts with every field, full of special characters. */
export const contracts: fc.Arbitrary<Contract> = source.map(
  (made) => defineTool(structuredClone(made) as ContractSource, () => ({})).contract,
)
