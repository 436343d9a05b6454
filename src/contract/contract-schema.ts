import type { ContractSource, DeclaredError, Effects, Example, Limits, Summary } from './contract.ts'
import { defaultLimits } from './contract.ts'
import { errorCodeForm, placePattern, toolNameForm, versionForm } from './forms.ts'
import type { JsonSchema } from './json.ts'

/** Requires exactly the properties of `T`, so that the types and the published schema cannot diverge. */
type Described<T> = { readonly [Name in keyof Required<T>]: JsonSchema }

const inputProperties = {
  type: 'array',
  description: 'Names of top-level properties of the input',
  items: { type: 'string', minLength: 1 },
} as const

/** The JSON Schema of a contract as an author writes it. Published as `schemas/contract.schema.json`. */
export const contractSchema: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Tool contract',
  description: 'What a tool promises: its name, what it does, its risk, input and output, errors, limits and examples.',
  type: 'object',
  required: ['name', 'description', 'risk', 'input', 'output'],
  additionalProperties: false,
  properties: {
    $schema: { type: 'string', description: 'Where this schema is, for editors' },
    name: {
      type: 'string',
      description: 'What callers call the tool, such as read_file or search.web; unique in its toolset',
      pattern: toolNameForm.source,
    },
    title: { type: 'string', description: 'A name for people. Default: the words of the name', minLength: 1 },
    description: {
      type: 'string',
      description: 'What the tool does and when to use it, in sentences: models choose tools by it',
      minLength: 1,
    },
    version: {
      type: 'string',
      description: 'Semantic version of the contract',
      pattern: versionForm.source,
      default: '1.0.0',
    },
    status: {
      description:
        'planned: listed, but cannot be called yet. deprecated: can be called, but should no longer be chosen',
      enum: ['active', 'planned', 'deprecated'],
      default: 'active',
    },
    transport: {
      type: 'string',
      description: 'How callers reach the tool, such as mcp (stdio). Default: every transport that is served',
      pattern: placePattern,
    },
    endpoint: {
      type: 'string',
      description: 'Where callers reach it: the name of an MCP server, or an address. Default: the toolset',
      pattern: placePattern,
    },
    risk: {
      description:
        'read_only: changes nothing. safe_write: changes what can be undone. dangerous: changes what may not be undone, runs commands or reaches out',
      enum: ['read_only', 'safe_write', 'dangerous'],
    },
    approval: {
      description: 'ask: a person must agree to each call. Default: never for read_only, ask for everything else',
      enum: ['never', 'ask'],
    },
    idempotent: {
      type: 'boolean',
      description:
        'A repeated call with the same context.idempotencyKey has no further effect: an interrupted step of a workflow may run again',
    },
    input: {
      type: 'object',
      description:
        'JSON Schema 2020-12 of the input: a closed object. A property with a default may be left out by callers',
    },
    output: { type: 'object', description: 'JSON Schema 2020-12 of the output: a closed object' },
    errors: {
      type: 'array',
      description: 'The failures that the tool may return beside those of the pipeline; it may return no others',
      items: objectOf<DeclaredError>(['code', 'status', 'when', 'suggestion'], {
        code: { type: 'string', description: 'In snake_case, such as file_not_found', pattern: errorCodeForm.source },
        status: { type: 'integer', description: 'HTTP status for REST callers', minimum: 400, maximum: 599 },
        when: { type: 'string', description: 'When this happens, as a sentence', minLength: 1 },
        suggestion: { type: 'string', description: 'What the caller should do then, as a sentence', minLength: 1 },
        inputs: {
          ...inputProperties,
          description:
            'Input properties: if one violates the schema, the call fails with this code instead of invalid_input',
        },
      }),
      default: [],
    },
    limits: {
      description: 'Bounds that the pipeline enforces',
      ...objectOf<Limits>([], {
        calls: {
          description: 'At most count calls per caller in any windowMs. Absent: unlimited',
          ...objectOf<NonNullable<Limits['calls']>>(['count', 'windowMs'], {
            count: { type: 'integer', description: 'Calls in the span', minimum: 1 },
            windowMs: { type: 'integer', description: 'Length of the span in milliseconds', minimum: 1 },
          }),
        },
        concurrency: {
          type: 'integer',
          description: 'Maximum of concurrent calls. Absent: unlimited',
          minimum: 1,
        },
        timeoutMs: {
          type: 'integer',
          description: 'Timeout of a call in milliseconds',
          minimum: 1,
          default: defaultLimits.timeoutMs,
        },
        inputBytes: {
          type: 'integer',
          description: 'Maximum bytes of input as JSON',
          minimum: 2,
          default: defaultLimits.inputBytes,
        },
        outputBytes: {
          type: 'integer',
          description: 'Maximum bytes of output as JSON',
          minimum: 2,
          default: defaultLimits.outputBytes,
        },
      }),
    },
    effects: {
      description:
        'Which input properties name something in the world, what the output carries and who receives data. Policy and approval read these',
      ...objectOf<Effects>([], {
        reads: { ...inputProperties, description: 'Input properties that are paths which the tool reads' },
        writes: { ...inputProperties, description: 'Input properties that are paths which the tool writes' },
        fetches: { ...inputProperties, description: 'Input properties that are URLs which the tool fetches' },
        runs: { ...inputProperties, description: 'Input properties that are commands which the tool runs' },
        sends: {
          ...inputProperties,
          description:
            'Input properties that name who receives data: a URL, a host or an address. Those under fetches count without being repeated',
        },
        sendsTo: {
          type: 'array',
          description:
            'Receivers that are the same for every call, such as api.example.com. operator: a service that the operator configured, which is always allowed',
          items: { type: 'string', pattern: placePattern },
        },
        returns: {
          type: 'array',
          description:
            'What the output carries. private: data of the operator that must not leak. untrusted: text that someone else wrote. Default: private for tools that read paths, untrusted for tools that fetch, both for tools that run commands',
          items: { enum: ['private', 'untrusted'] },
        },
        askPerHost: {
          type: 'boolean',
          description: 'One approval covers a host for the rest of the session, instead of one call',
        },
      }),
      default: {},
    },
    summary: {
      description: 'What the overview of a toolset says of the tool. Default: derived from effects and risk',
      ...objectOf<Summary>(['access', 'sideEffects'], {
        access: { type: 'string', description: 'What it may reach, in a few words', minLength: 1 },
        sideEffects: { type: 'string', description: 'What it changes, in a few words', minLength: 1 },
      }),
    },
    constraints: {
      type: 'array',
      description: 'Rules beyond the schemas, as sentences',
      items: { type: 'string', minLength: 1 },
      minItems: 1,
    },
    examples: {
      type: 'array',
      description: 'Calls with their outcome: documentation that also runs as a test',
      items: {
        ...objectOf<Example>(['input'], {
          title: { type: 'string', description: 'What the example shows' },
          given: {
            description: 'What must exist before the call',
            ...objectOf<NonNullable<Example['given']>>([], {
              files: {
                type: 'object',
                description: 'Files of the workspace: path and content',
                additionalProperties: { type: 'string' },
              },
            }),
          },
          input: { type: 'object', description: 'What the caller sends' },
          output: { type: 'object', description: 'What the tool returns' },
          error: { type: 'string', description: 'The code with which the call fails', pattern: errorCodeForm.source },
          varies: {
            type: 'array',
            description: 'JSON pointers into output whose values differ from run to run, such as a time',
            items: { type: 'string', format: 'json-pointer' },
          },
        }),
        oneOf: [{ required: ['output'] }, { required: ['error'] }],
      },
      default: [],
    },
  } satisfies Described<ContractSource & { $schema: string }>,
}

function objectOf<T>(required: readonly (keyof T & string)[], properties: Described<T>): JsonSchema {
  return { type: 'object', required, additionalProperties: false, properties: properties as JsonSchema['properties'] }
}
