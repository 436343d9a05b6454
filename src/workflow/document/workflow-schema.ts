import { contractSchema } from '../../contract/contract-schema.ts'
import { toolNameForm } from '../../contract/forms.ts'
import type { JsonSchema } from '../../contract/json.ts'
import type { CallStep, Compensation, WaitStep, Workflow } from './workflow.ts'

/** Requires exactly the properties of `T`, so that the types and the published schema cannot diverge. */
type Described<T> = { readonly [Name in keyof Required<T>]: JsonSchema }

/** The endings of the files in a contract folder that contain a workflow. */
export const workflowEndings = ['.workflow.json', '.workflow.yaml', '.workflow.yml'] as const

export const maxSteps = 200
export const maxItems = 1_000
export const maxWaitMs = 31_622_400_000

/** The id of a step. It has no `/` and no `~`, so that it needs no escaping in a pointer. */
const stepId = {
  type: 'string',
  description: 'The id of the step, unique in the workflow: expressions refer to it',
  pattern: '^[a-z][A-Za-z0-9_]{0,63}$',
} as const

const toolId = {
  type: 'string',
  description: 'The full id of the tool: TOOLSET.NAME, as toolpact list prints it',
  pattern: '^[A-Za-z][A-Za-z0-9_-]{0,63}\\.[A-Za-z][A-Za-z0-9_.-]{0,63}$',
} as const

const digest = {
  type: 'string',
  description: 'The digest of the contract that this was written for, as toolpact show prints it. Another contract is refused', // biome-ignore format: one line
  pattern: '^sha256:[0-9a-f]{64}$',
} as const

const mapping = {
  type: 'object',
  description: 'The input of the tool. An object with a key that begins with $ is an expression',
} as const

const value = { description: 'A value or an expression' } as const

const timeoutMs = { type: 'integer', minimum: 1, maximum: 3_600_000 } as const

const stepProperties = {
  id: stepId,
  when: { description: 'A condition. The step is skipped if it is false' },
  after: {
    type: 'array',
    description: 'Steps that must have ended before this one, besides those that its expressions refer to',
    items: { type: 'string' },
    maxItems: maxSteps,
  },
  tool: toolId,
  contract: digest,
  input: mapping,
  forEach: {
    description: 'Calls the tool once per item of a list. The output of the step is the list of outputs',
    ...objectOf<NonNullable<CallStep['forEach']>>(['in', 'max'], {
      in: { description: 'The list: an expression. Input refers to the item as /item and to its place as /index' },
      max: {
        type: 'integer',
        description: 'The maximum number of items. The list must not be able to have more',
        minimum: 1,
        maximum: maxItems,
      },
      parallel: {
        type: 'integer',
        description: 'How many calls may run at once',
        minimum: 1,
        maximum: 16,
        default: 1,
      },
    }),
  },
  onError: {
    description:
      'stop: the run fails. continue: the output is missing, and the run goes on. Or a tool that is called after the failure',
    anyOf: [
      { enum: ['stop', 'continue'] },
      objectOf<Compensation>(['tool', 'input', 'then'], {
        tool: toolId,
        contract: digest,
        input: mapping,
        // biome-ignore lint/suspicious/noThenProperty: part of the document, and never a function
        then: { description: 'Whether the run stops or goes on afterwards', enum: ['stop', 'continue'] },
      }),
    ],
    default: 'stop',
  },
  timeoutMs: {
    ...timeoutMs,
    description: 'Timeout of each call in milliseconds. Default: that of the tool',
  },
  approval: { description: 'ask: a person is asked for every call, even if the policy allows it', enum: ['ask'] },
  wait: {
    description: 'Waits instead of calling a tool',
    anyOf: [
      objectOf<{ forMs: number }>(['forMs'], {
        forMs: { type: 'integer', description: 'How long, in milliseconds', minimum: 1, maximum: maxWaitMs },
      }),
      objectOf<{ until: unknown }>(['until'], {
        until: { ...value, description: 'Until when: a date-time such as 2027-01-31T08:00:00Z, or an expression' },
      }),
    ],
  },
} satisfies Described<CallStep & WaitStep>

const { name, title, description, version, risk, input, output, limits, constraints, examples } =
  contractSchema.properties as Record<string, JsonSchema>

/** The JSON Schema of a workflow document. Published as `schemas/workflow.schema.json`. */
export const workflowSchema: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Workflow',
  description: 'A tool whose run is a sequence of calls of other tools, checked before it can run.',
  type: 'object',
  required: ['name', 'description', 'risk', 'input', 'output', 'steps', 'result'],
  additionalProperties: false,
  properties: {
    $schema: { type: 'string', description: 'Where this schema is, for editors' },
    name: { ...name, description: 'What callers call the workflow; unique in its toolset', pattern: toolNameForm.source }, // biome-ignore format: one line
    title: title!,
    description: description!,
    version: version!,
    risk: { ...risk, description: 'The risk of the workflow: not lower than that of any of its steps' },
    input: input!,
    output: output!,
    steps: {
      type: 'array',
      description: 'The steps. An expression may refer to earlier steps',
      items: {
        type: 'object',
        required: ['id'],
        additionalProperties: false,
        properties: stepProperties,
      },
      minItems: 1,
      maxItems: maxSteps,
    },
    result: { type: 'object', description: 'The output of the workflow, with expressions' },
    parallel: {
      type: 'integer',
      description: 'How many independent steps may run at once. 1: in the order of the document',
      minimum: 1,
      maximum: 16,
      default: 1,
    },
    approval: {
      description:
        'steps: each step asks by its own policy. plan: one question in advance that lists every step and covers them',
      enum: ['steps', 'plan'],
      default: 'steps',
    },
    limits: limits!,
    constraints: constraints!,
    examples: examples!,
  } satisfies Described<Workflow & { $schema: string }>,
}

function objectOf<T>(required: readonly (keyof T & string)[], properties: Described<T>): JsonSchema {
  return { type: 'object', required, additionalProperties: false, properties: properties as JsonSchema['properties'] }
}
