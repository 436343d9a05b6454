import type { JsonObject, JsonValue } from '../../contract/json.ts'
import type { createErrorResponses } from './error-responses.ts'
import { accepted, toRunPaths } from './run-paths.ts'

/** The paths of every document, whatever its tools. `security`: of those that public callers may use. */
export function toSharedPaths(errors: ReturnType<typeof createErrorResponses>, security: JsonObject): JsonObject {
  return {
    '/v1/tools': {
      get: { ...listOperation, ...security, responses: { 200: listed, 304: unchanged, ...errors.ofPage() } },
    },
    '/v1/tools/{name}': {
      get: { ...contractOperation, ...security, responses: { 200: contract, 304: unchanged, ...errors.ofContract() } },
      post: { ...callOperation, ...security, responses: { 200: anyOutput, 202: accepted, ...errors.ofNamedCall() } },
    },
    '/v1/call': { post: { ...namedCall, ...security, responses: { 200: anyOutput, 202: accepted, ...errors.ofNamedCall() } } }, // biome-ignore format: one line
    '/v1/approvals/{id}': {
      get: { ...approvalOperation, responses: { 200: approval, ...errors.ofPage([noQuestion]) } },
      post: { ...answerOperation, responses: { 200: answered, ...errors.ofAnswer([noQuestion]) } },
    },
    ...toRunPaths(errors, listTag.name),
    '/v1/checkpoints': {
      get: { ...checkpointOperation, responses: { 200: checkpoint, ...errors.ofPage([noCheckpoint]) } },
      post: { ...sendOperation, responses: { 200: taken, ...errors.ofCheckpoint() } },
    },
  }
}

// No toolset or projected name contains a dot, so these names cannot collide.
export const listTag = { name: 'toolpact.tools', description: 'What can be called.' }
const listOperation = {
  operationId: 'toolpact.tools',
  tags: [listTag.name],
  summary: 'List the tools',
  description: 'Returns the tools that the caller may use.',
  parameters: [
    {
      name: 'q',
      in: 'query',
      description: 'Only the tools that fit these words, best first.',
      schema: { type: 'string', maxLength: 1000 },
    },
  ],
}
const listed = {
  description: 'The tools.',
  headers: { ETag: { $ref: '#/components/headers/ETag' } },
  content: { 'application/json': { schema: { $ref: '#/components/schemas/ToolList' } } },
}

const questionId = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The `approval_id` of an `approval_required`.',
  schema: { type: 'string' },
}
const approvalOperation = {
  operationId: 'toolpact.approval',
  tags: [listTag.name],
  summary: 'Show a question',
  description:
    'Returns the state of the approval of a call by this caller, or that this caller may approve, and its text while it is pending.',
  parameters: [questionId],
}
const answerOperation = {
  operationId: 'toolpact.answer',
  tags: [listTag.name],
  summary: 'Answer a question',
  description:
    'Approves or denies a call of another caller. Only callers that `approvers` in the config names may answer, and none answers its own calls unless it says so.',
  parameters: [questionId],
  requestBody: {
    required: true,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Answer' } } },
  },
}
const answered = {
  description: 'What became of the answer.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Answered' } } },
}
const approval = {
  description: 'The question.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Approval' } } },
}
const noQuestion = { code: 'not_found', status: 404, when: 'No question that this caller may see has this id.' }

const unchanged = {
  description: 'The list has not changed since `If-None-Match`.',
  headers: { ETag: { $ref: '#/components/headers/ETag' } },
}

const namedCall = {
  operationId: 'toolpact.call',
  tags: [listTag.name],
  summary: 'Call a tool by name',
  description: 'The same as a call at the path of the tool, with its name in the body.',
  parameters: toParameters('ApprovalId', 'QueryId', 'IdempotencyKey', 'Prefer'),
  requestBody: {
    required: true,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/NamedCall' } } },
  },
}

const anyOutput = {
  description: 'The output, as the contract of the tool defines it.',
  headers: {
    'Toolpact-Call-Id': { $ref: '#/components/headers/CallId' },
    'Toolpact-Notes': { $ref: '#/components/headers/Notes' },
    'Idempotency-Replayed': { $ref: '#/components/headers/Replayed' },
  },
  content: { 'application/json': { schema: { type: 'object' } } },
}

export function toParameters(...names: readonly string[]): JsonValue[] {
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }))
}

const toolName = {
  name: 'name',
  in: 'path',
  required: true,
  description:
    'The listed name of a tool, its full id, or its bare name if that is unique. Prompts and resources of MCP servers have a full id too.',
  schema: { type: 'string' },
}
const contractOperation = {
  operationId: 'toolpact.contract',
  tags: [listTag.name],
  summary: 'Show a contract',
  description: 'Returns the contract of a tool, or of a prompt or resource of an MCP server.',
  parameters: [toolName],
}
const contract = {
  description: 'The contract, as `schemas/contract.schema.json` describes it.',
  headers: { ETag: { $ref: '#/components/headers/ETag' } },
  content: { 'application/json': { schema: { type: 'object' } } },
}
const callOperation = {
  operationId: 'toolpact.use',
  tags: [listTag.name],
  summary: 'Call a tool by its path',
  description:
    'Calls a tool whose path this document does not list, such as a prompt or resource of an MCP server by its full id. The body is the input.',
  parameters: [toolName, ...toParameters('ApprovalId', 'QueryId', 'IdempotencyKey', 'Prefer')],
  requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
}

const checkpointOperation = {
  operationId: 'toolpact.checkpoint',
  tags: [listTag.name],
  summary: 'Show the newest checkpoint of a ledger',
  description: 'Returns the newest checkpoint of another ledger that this caller has sent.',
  parameters: [
    { name: 'origin', in: 'query', required: true, description: 'The name of the ledger.', schema: { type: 'string' } },
  ],
}
const checkpoint = {
  description: 'The checkpoint.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Checkpoint' } } },
}
const sendOperation = {
  operationId: 'toolpact.send_checkpoint',
  tags: [listTag.name],
  summary: 'Keep a checkpoint of a ledger',
  description:
    'Keeps a signed checkpoint of another ledger, with the proof that it continues the one before, so that the ledger cannot be truncated or rewritten unnoticed. `ledger.checkpoints` in the config of a Toolpact sends them.',
  requestBody: {
    required: true,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/SentCheckpoint' } } },
  },
}
const taken = {
  description: 'It is kept.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/TakenCheckpoint' } } },
}
const noCheckpoint = { code: 'not_found', status: 404, when: 'No checkpoint of this ledger is kept for this caller.' }
