import type { JsonObject } from '../../../contract/json.ts'

const text: JsonObject = { type: 'string', minLength: 1, maxLength: 10_000 }

const ruleInput: JsonObject = {
  type: 'object',
  additionalProperties: false,
  required: ['tool', 'pattern', 'action'],
  properties: {
    tool: text,
    pattern: { type: 'string', minLength: 1, maxLength: 100_000 },
    action: { enum: ['allow', 'ask', 'deny'] },
    scope: { enum: ['session', 'workspace', 'everywhere'] },
    who: { type: 'array', items: { type: 'string', minLength: 1, maxLength: 512 }, minItems: 1, maxItems: 100 },
    expiresAt: text,
    description: { type: 'string', maxLength: 10_000 },
  },
}

/** Folders or hosts. */
const granted = { type: 'array', maxItems: 100, items: { type: 'string', minLength: 1, maxLength: 1024 } } as const

/** The bodies of requests to the console. The server checks requests with them. */
export const consoleBodies: { readonly [name: string]: JsonObject } = {
  CreateTokenRequest: {
    type: 'object',
    additionalProperties: false,
    properties: { client: { type: 'string', pattern: '^[\\w.@ :-]{1,64}$' } },
  },
  AnswerRequest: {
    type: 'object',
    additionalProperties: false,
    required: ['ids', 'answer'],
    properties: {
      ids: { type: 'array', items: text, minItems: 1, maxItems: 1000 },
      answer: { enum: ['yes', 'no'] },
      rule: ruleInput,
    },
  },
  EndSessionsRequest: {
    oneOf: [
      {
        type: 'object',
        additionalProperties: false,
        required: ['ids'],
        properties: { ids: { type: 'array', items: text, minItems: 1, maxItems: 1000 } },
      },
      { type: 'object', additionalProperties: false, required: ['others'], properties: { others: { const: true } } },
    ],
  },
  AdoptRequest: {
    type: 'object',
    additionalProperties: false,
    properties: {
      withoutOutputSchema: { enum: ['opaque', 'withhold'] },
      approval: { enum: ['reads', 'ask', 'never'] },
    },
  },
  AddServersRequest: {
    type: 'object',
    additionalProperties: false,
    required: ['text'],
    properties: {
      text: { type: 'string', minLength: 1, maxLength: 1_000_000 },
      name: { type: 'string', minLength: 1, maxLength: 64 },
      confirmed: { type: 'boolean' },
      grants: {
        type: 'object',
        maxProperties: 200,
        additionalProperties: {
          type: 'object',
          additionalProperties: false,
          required: ['read', 'write', 'network'],
          properties: { read: granted, write: granted, network: granted },
        },
      },
    },
  },
  ConnectRequest: {
    type: 'object',
    additionalProperties: false,
    properties: { for: text, scope: text },
  },
  ConnectedRequest: {
    type: 'object',
    additionalProperties: false,
    required: ['pending', 'answer'],
    properties: { pending: { type: 'string', minLength: 1, maxLength: 1_000_000 }, answer: text },
  },
  LockDecision: {
    type: 'object',
    additionalProperties: false,
    required: ['server', 'digest', 'decision'],
    properties: {
      server: text,
      tool: text,
      digest: { type: 'string', pattern: '^sha256:[0-9a-f]{64}$' },
      decision: { enum: ['accept', 'refuse'] },
    },
  },
  TryRequest: {
    type: 'object',
    additionalProperties: false,
    required: ['input'],
    properties: { input: {} },
  },
  RuleInput: ruleInput,
  RuleChange: {
    type: 'object',
    additionalProperties: false,
    required: ['change'],
    properties: { change: { enum: ['disable', 'enable', 'remove', 'expire'] } },
  },
  ResumeRequest: {
    type: 'object',
    additionalProperties: false,
    required: ['step', 'as'],
    properties: { step: text, as: { enum: ['done', 'again', 'failed'] }, output: { type: 'object' } },
  },
  SimulateRequest: {
    type: 'object',
    additionalProperties: false,
    properties: {
      add: { type: 'array', items: ruleInput, maxItems: 100 },
      remove: { type: 'array', items: text, maxItems: 1000 },
      last: { type: 'integer', minimum: 1, maximum: 5000 },
    },
  },
}
