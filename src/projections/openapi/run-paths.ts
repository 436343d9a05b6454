import type { JsonObject } from '../../contract/json.ts'
import type { createErrorResponses } from './error-responses.ts'

const text = (description: string) => ({ type: 'string', description })
const time = (description: string) => ({ type: 'string', format: 'date-time', description })
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const states = ['running', 'waiting', 'needs_person', 'completed', 'failed', 'cancelled']

const runProperties = {
  run_id: text('The id of the run, and of the call that started it.'),
  workflow: text("Full id of the workflow's tool."),
  contract_digest: text('The digest of the contract that the run began with.'),
  caller: text('The caller that started it.'),
  state: {
    enum: states,
    description:
      '`waiting`: for an approval or a point in time. `needs_person`: a process ended during a step that may not run twice, and a person must say what became of it.',
  },
  created_at: time('When it began.'),
  updated_at: time('When it last changed.'),
  progress: {
    type: 'object',
    description: 'How many steps have ended, of how many.',
    required: ['done', 'total'],
    additionalProperties: false,
    properties: { done: { type: 'integer', minimum: 0 }, total: { type: 'integer', minimum: 0 } },
  },
}
const runRequired = Object.keys(runProperties)

const error = {
  type: 'object',
  description: 'Why it failed.',
  required: ['code', 'message', 'suggestion'],
  properties: {
    code: text('The kind of problem, for programs.'),
    message: text('What happened.'),
    suggestion: text('What to do next.'),
  },
}

/** What the paths of runs send and get. */
export const runSchemas: JsonObject = {
  Run: {
    type: 'object',
    description: 'A run of a workflow.',
    required: runRequired,
    additionalProperties: false,
    properties: runProperties,
  },
  RunDetails: {
    type: 'object',
    description: 'A run of a workflow with its steps, what it waits for, and what it returned.',
    required: [...runRequired, 'input', 'waits_for', 'steps'],
    additionalProperties: false,
    properties: {
      ...runProperties,
      input: { description: 'The input of the workflow.' },
      waits_for: {
        type: 'array',
        description: 'What its steps wait for.',
        items: {
          type: 'object',
          required: ['step'],
          additionalProperties: false,
          properties: {
            step: text('The step that waits.'),
            approval_id: text('The question that it waits for: see `GET /v1/approvals/{id}`.'),
            until: time('When it goes on, or the question expires.'),
          },
        },
      },
      steps: { type: 'array', items: ref('RunStep') },
      output: { type: 'object', description: 'What the workflow returned, as its contract defines it.' },
      error,
    },
  },
  RunStep: {
    type: 'object',
    description: 'A step of a run.',
    required: ['step', 'state'],
    additionalProperties: false,
    properties: {
      step: text('`STEP`, `STEP/ITEM`, or `STEP/undo` for a compensation.'),
      state: { enum: ['pending', 'running', 'waiting', 'interrupted', 'done', 'failed', 'skipped'] },
      tool: text('Full id of its tool, unless it waits for a time.'),
      started_at: time('When it began.'),
      ended_at: time('When it ended.'),
      call_id: text('Its call, as in the ledger.'),
      approval_id: text('The question that it waits for.'),
      wakes_at: time('Until when it waits.'),
      output: { description: 'What it returned.' },
      error,
      known: {
        type: 'object',
        description: 'What is known of a step during which its process ended.',
        required: ['intended', 'message'],
        properties: {
          intended: { type: 'boolean', description: 'Whether the call may have run at all.' },
          outcome: { type: 'object', description: 'How the call ended, if the ledger knows.' },
          message: text('What happened, and what to do.'),
        },
      },
      items: { type: 'array', description: 'Of a step with `forEach`.', items: ref('RunStep') },
    },
  },
  RunList: {
    type: 'object',
    description: 'Runs, newest first.',
    required: ['runs'],
    additionalProperties: false,
    properties: {
      runs: { type: 'array', items: ref('Run') },
      next: text('If there are more: the `after` of the next page.'),
    },
  },
  RunDecision: {
    type: 'object',
    description: 'What became of an interrupted step.',
    required: ['step', 'as'],
    additionalProperties: false,
    properties: {
      step: text('The step, as in the run.'),
      as: {
        enum: ['done', 'again', 'failed'],
        description:
          '`done`: it took effect and returned `output`. `again`: it did not, so it runs again. `failed`: it failed, as its `onError` says.',
      },
      output: { type: 'object', description: 'With `done`: what it returned, as the contract of its tool defines it.' },
    },
  },
}

/** The answer to a call of a workflow that has not ended. */
export const accepted: JsonObject = {
  description: 'The workflow has not ended yet. The run goes on: look at it at the address in `Location`.',
  headers: {
    Location: { description: 'The path of the run.', required: true, schema: { type: 'string' } },
    'Toolpact-Call-Id': { $ref: '#/components/headers/CallId' },
  },
  content: { 'application/json': { schema: ref('RunDetails') } },
}

/** The paths of runs. `tag`: where they are listed. */
export function toRunPaths(errors: ReturnType<typeof createErrorResponses>, tag: string): JsonObject {
  const responses = { 200: sent('The run.', 'RunDetails'), ...errors.ofPage([noRun]) }
  const changed = { 200: sent('The run after the change.', 'RunDetails'), ...errors.ofRun([noRun], false) }
  const toOperation = (name: string, summary: string, description: string) => ({
    operationId: `toolpact.${name}`,
    tags: [tag],
    summary,
    description,
  })
  return {
    '/v1/runs': {
      get: {
        ...toOperation('runs', 'List runs', 'Returns runs of workflows that the caller started, newest first.'),
        parameters: listParameters,
        responses: { 200: sent('The runs.', 'RunList'), ...errors.ofPage() },
      },
    },
    '/v1/runs/{id}': {
      get: {
        ...toOperation(
          'run',
          'Show a run',
          'Returns a run of the caller, or of a workflow whose questions it may answer.',
        ),
        parameters: [runId],
        responses,
      },
    },
    '/v1/runs/{id}/cancel': {
      post: {
        ...toOperation('cancel_run', 'End a run', 'Steps that finished stay done; the step in flight is aborted.'),
        parameters: [runId],
        responses: changed,
      },
    },
    '/v1/runs/{id}/retry': {
      post: {
        ...toOperation('retry_run', 'Run a failed run again', 'It goes on from its failed step.'),
        parameters: [runId],
        responses: changed,
      },
    },
    '/v1/runs/{id}/resume': {
      post: {
        ...toOperation(
          'resume_run',
          'Decide about an interrupted step',
          'Only callers that `approvers` in the config names may decide, and none about its own runs unless it says so.',
        ),
        parameters: [runId],
        requestBody: { required: true, content: { 'application/json': { schema: ref('RunDecision') } } },
        responses: { 200: sent('The run after the change.', 'RunDetails'), ...errors.ofRun([noRun], true) },
      },
    },
  }
}

function sent(description: string, schema: string): JsonObject {
  return { description, content: { 'application/json': { schema: ref(schema) } } }
}

const noRun = { code: 'not_found', status: 404, when: 'No run that this caller may see has this id.' }

const runId = { name: 'id', in: 'path', required: true, description: 'The `run_id`.', schema: { type: 'string' } }

const listParameters: JsonObject[] = [
  { name: 'state', in: 'query', description: 'Only runs in this state.', schema: { enum: states } },
  { name: 'workflow', in: 'query', description: 'Only runs of this workflow, by full id.', schema: { type: 'string' } },
  {
    name: 'caller',
    in: 'query',
    description: 'Runs of this caller, as far as you may see them. Default: your own.',
    schema: { type: 'string' },
  },
  { name: 'after', in: 'query', description: 'The `next` of an earlier page.', schema: { type: 'string' } },
  {
    name: 'limit',
    in: 'query',
    description: 'How many runs to return.',
    schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
  },
]
