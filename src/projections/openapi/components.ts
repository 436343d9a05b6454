import type { JsonObject } from '../../contract/json.ts'
import { runSchemas } from './run-paths.ts'

/** Components of every document, whatever its tools. */
export const sharedComponents = {
  securitySchemes: {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description: 'A token that `toolpact token create` printed, or one of an issuer that the config names.',
    },
  },
  parameters: {
    ApprovalId: {
      name: 'Toolpact-Approval-Id',
      in: 'header',
      description:
        'The `approval_id` of an `approval_required`, to repeat the same call once a person has approved it. It works once.',
      schema: { type: 'string' },
    },
    QueryId: {
      name: 'Toolpact-Query',
      in: 'header',
      description:
        'A random string for each question of a user. Of all calls with it, one runs; the others fail with `single_step`.',
      schema: { type: 'string', minLength: 1, maxLength: 256, pattern: '^[!-~]+$' },
    },
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      description:
        'A random string. A call repeated with it within 24 hours runs once, and gets the response of the first.',
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
    },
    Prefer: {
      name: 'Prefer',
      in: 'header',
      description:
        'Of a workflow (RFC 7240): `respond-async` answers with 202 as soon as the run is stored, `wait=N` if it has not ended after N seconds, at most 300. Default: 5 seconds.',
      schema: { type: 'string' },
    },
  },
  headers: {
    CallId: { description: 'The id of the call, as in the ledger.', schema: { type: 'string', format: 'uuid' } },
    Notes: {
      description: 'Metadata of the result that is not part of the output, as a JSON object, if any.',
      schema: { type: 'string', maxLength: 32_768 },
    },
    Replayed: {
      description: 'The answer of an earlier call with the same Idempotency-Key.',
      schema: { type: 'string', enum: ['true'] },
    },
    ETag: { description: 'Changes with the response.', required: true, schema: { type: 'string' } },
    Authenticate: { description: 'How to authenticate.', schema: { type: 'string' } },
    RetryAfter: { description: 'Seconds to wait.', required: true, schema: { type: 'integer', minimum: 1 } },
    RetryAfterMaybe: { description: 'Seconds to wait, if known.', schema: { type: 'integer', minimum: 1 } },
  },
} as const satisfies JsonObject

const text = (description: string) => ({ type: 'string', description })

/** Response of `GET /v1/tools`. */
const listedTool = {
  type: 'object',
  required: ['name', 'id', 'toolset', 'title', 'description', 'version', 'status', 'risk', 'approval', 'url'],
  additionalProperties: false,
  properties: {
    name: text('The served name of the tool.'),
    id: text('Its full id, which rules and the ledger use. Calls accept it too.'),
    toolset: text('The toolset that it belongs to.'),
    title: text('A name for people.'),
    description: text('What it does and when to use it.'),
    version: text('The version of its contract.'),
    status: { enum: ['active', 'planned', 'deprecated'], description: 'A planned tool cannot be called yet.' },
    transport: text('How its contract says that callers reach it.'),
    endpoint: text('The endpoint that its contract declares.'),
    risk: { enum: ['read_only', 'safe_write', 'dangerous'], description: 'What a call may change.' },
    approval: { enum: ['never', 'ask'], description: 'Whether a person must agree to each call.' },
    url: text('The path to call it with POST, and to read its contract with GET.'),
  },
}

const toolList = {
  type: 'object',
  description: 'The tools that the caller may use.',
  required: ['tools', 'openapi'],
  additionalProperties: false,
  properties: {
    tools: { type: 'array', items: listedTool },
    openapi: text('The path of this document.'),
  },
}

/** Response of `GET /v1/approvals/{id}`. */
const approval = {
  type: 'object',
  required: ['approval_id', 'tool', 'state'],
  additionalProperties: false,
  properties: {
    approval_id: text('The id of the question.'),
    tool: text('The full id of the tool.'),
    state: { enum: ['pending', 'approved', 'denied', 'expired'], description: 'Whether it was answered, and how.' },
    expires_at: { type: 'string', format: 'date-time', description: 'Until when a pending question can be answered.' },
    approval_text: text('What a person is asked, while the question is pending.'),
  },
}

/** Body of `POST /v1/approvals/{id}`. */
const answer = {
  type: 'object',
  required: ['answer'],
  additionalProperties: false,
  properties: { answer: { enum: ['yes', 'no'], description: 'Whether the call may run.' } },
}

/** Its response. */
const answered = {
  type: 'object',
  required: ['approval_id', 'result', 'message'],
  additionalProperties: false,
  properties: {
    approval_id: text('The id of the question.'),
    result: {
      enum: ['approved', 'denied', 'recorded'],
      description: 'What became of it. `recorded`: another person must also say yes.',
    },
    message: text('The same in one line, for people.'),
  },
}

/** Response of `GET /v1/checkpoints`. */
const checkpoint = {
  type: 'object',
  required: ['origin', 'size', 'received_at', 'checkpoint'],
  additionalProperties: false,
  properties: {
    origin: text('The name of the ledger.'),
    size: { type: 'integer', minimum: 0, description: 'How many entries it covers.' },
    received_at: { type: 'string', format: 'date-time', description: 'When it was received.' },
    checkpoint: text('The signed note.'),
  },
}

/** Body of `POST /v1/checkpoints`. */
const sentCheckpoint = {
  type: 'object',
  required: ['old', 'proof', 'checkpoint', 'publicKey'],
  properties: {
    old: { type: 'integer', minimum: 0, description: 'The size that the proof starts from; 0 for the first one.' },
    proof: { type: 'array', maxItems: 63, items: { type: 'string' }, description: 'Hashes, in Base64.' },
    checkpoint: text('The signed note.'),
    publicKey: text('The key that signed it, as `toolpact ledger key` prints it.'),
  },
}

/** Its response. */
const takenCheckpoint = {
  type: 'object',
  required: ['origin', 'size'],
  additionalProperties: false,
  properties: {
    origin: text('The name of the ledger.'),
    size: { type: 'integer', minimum: 0, description: 'How many entries it covers.' },
  },
}

const schemaProblem = {
  type: 'object',
  required: ['pointer', 'keyword', 'expected', 'message'],
  properties: {
    pointer: text('JSON pointer into the input; empty for the whole.'),
    keyword: text('The violated keyword.'),
    expected: text('What the contract expects.'),
    found: text('The value found, shortened.'),
    message: text('What is wrong, and what to do.'),
  },
}

/** RFC 9457, with the members that every failure of Toolpact has. */
const problem = {
  type: 'object',
  description: 'Problem details (RFC 9457) of a request that failed.',
  required: ['type', 'title', 'status', 'detail', 'code', 'suggestion', 'fixable'],
  properties: {
    type: { type: 'string', format: 'uri-reference', description: 'Identifies the kind of problem.' },
    title: text('The kind of problem, for people.'),
    status: { type: 'integer', minimum: 400, maximum: 599, description: 'The HTTP status.' },
    detail: text('What happened.'),
    code: text('The kind of problem, for programs.'),
    suggestion: text('What to do next.'),
    fixable: { type: 'boolean', description: 'Whether the caller can fix it by calling differently.' },
    problems: { type: 'array', description: 'What is wrong with the input.', items: schemaProblem },
    retry_after_ms: { type: 'number', minimum: 0, description: 'Milliseconds until it may work.' },
    scope: text('The scope that the token lacks, if the call needs one.'),
    approval_id: text('If a person must approve the call: repeat it with this id after approval.'),
    approval_text: text('What that person is asked.'),
    connect: text('If the caller must connect to a server first: the page of the console where they do.'),
    call_id: text('The id of the call, as in the ledger.'),
    size: { type: 'integer', minimum: 0, description: 'The size of the newest checkpoint that is kept.' },
  },
}

/** Body of `POST /v1/call`. */
const namedCall = {
  type: 'object',
  description: 'A call of a tool by its name.',
  required: ['tool'],
  additionalProperties: false,
  properties: {
    tool: text('The listed name of the tool, its full id, or its bare name if that is unique.'),
    parameters: {
      type: 'object',
      default: {},
      description: 'The input, as the contract of the tool defines it.',
    },
  },
  examples: [{ tool: 'hello', parameters: { name: 'Learner' } }],
}

export const sharedSchemas: JsonObject = {
  NamedCall: namedCall,
  Problem: problem,
  ToolList: toolList,
  Answer: answer,
  Answered: answered,
  Approval: approval,
  ...runSchemas,
  Checkpoint: checkpoint,
  SentCheckpoint: sentCheckpoint,
  TakenCheckpoint: takenCheckpoint,
}
