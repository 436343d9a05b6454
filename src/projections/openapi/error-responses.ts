import type { Contract } from '../../contract/contract.ts'
import { type PipelineCode, pipelineErrors } from '../../contract/error-codes.ts'
import type { JsonObject } from '../../contract/json.ts'

export interface PossibleError {
  readonly code: string
  readonly status: number
  readonly when: string
}

/**
 * Responses of the HTTP layer: on every route, to a call, to one that may carry an Idempotency-Key, and to one that
 * names its tool in the body.
 */
export interface HttpErrors {
  readonly everywhere: readonly PossibleError[]
  readonly calls: readonly PossibleError[]
  readonly keyedCalls: readonly PossibleError[]
  readonly namedCalls: readonly PossibleError[]
  /** To an answer to a question. */
  readonly answers: readonly PossibleError[]
  /** To a change of a run. */
  readonly runs: readonly PossibleError[]
  /** To a checkpoint of another ledger. */
  readonly checkpoints: readonly PossibleError[]
}

/** Error responses, one per status, with the codes it covers. Those that most tools share become components. */
export function createErrorResponses(http: HttpErrors) {
  const { everywhere, calls, keyedCalls, namedCalls, answers, runs, checkpoints } = http
  /** Of a request whose body is JSON like that of a call. */
  const bodies = calls.filter(({ code }) => code !== 'invalid_query')
  const shared = new Map<string, JsonObject>()

  /** For a call of this tool. */
  function ofCall(contract: Contract): JsonObject {
    const isKeyed = contract.risk !== 'read_only'
    const always = [...everywhere, ...calls, ...(isKeyed ? keyedCalls : []), ...pipelineAlways]
    const own = [...pipelineAt(contract), ...contract.errors]
    return toResponses(always, own, isKeyed ? 'KeyedCallError' : 'CallError')
  }

  /** For a call that names its tool in the body. Errors that the tool's contract declares are covered by `default`. */
  function ofNamedCall(): JsonObject {
    const all = toPossible(pipelineCodes)
    const responses = toResponses([...everywhere, ...calls, ...keyedCalls, ...namedCalls, ...all], [], 'NamedCallError')
    return { ...responses, default: declaredError }
  }

  /** For a page about the tools or, with its own errors, another page. */
  function ofPage(own: readonly PossibleError[] = []): JsonObject {
    return toResponses(everywhere, own, 'Error')
  }

  /** For the contract of a tool. */
  function ofContract(): JsonObject {
    return toResponses([...everywhere, ...toPossible(resolving)], [], 'ContractError')
  }

  /** For an answer to a question. */
  function ofAnswer(own: readonly PossibleError[]): JsonObject {
    return toResponses([...everywhere, ...bodies, ...answers], own, 'AnswerError')
  }

  /** For a change of a run: a decision, which only some callers may make, or another one. */
  function ofRun(own: readonly PossibleError[], isDecision: boolean): JsonObject {
    const decision = [...bodies, ...runs, ...answers.filter(({ code }) => code === 'may_not_answer')]
    const change = runs.filter(({ code }) => code === 'run_state')
    return toResponses([...everywhere, ...(isDecision ? decision : change)], own, isDecision ? 'DecisionError' : 'RunError') // biome-ignore format: one line
  }

  function ofCheckpoint(): JsonObject {
    return toResponses([...everywhere, ...bodies, ...checkpoints], [], 'CheckpointError')
  }

  function toResponses(always: readonly PossibleError[], own: readonly PossibleError[], kind: Kind): JsonObject {
    const responses: JsonObject = {}
    for (const [status, errors] of Map.groupBy([...always, ...own], (error) => error.status)) {
      const response = toResponse(status, errors, kind)
      if (own.some((error) => error.status === status)) {
        responses[status] = response
        continue
      }
      shared.set(`${kind}${status}`, response)
      responses[status] = { $ref: `#/components/responses/${kind}${status}` }
    }
    return responses
  }

  return {
    ofCall,
    ofNamedCall,
    ofPage,
    ofAnswer,
    ofRun,
    ofContract,
    ofCheckpoint,
    /** The components that the responses so far refer to. */
    shared: (): JsonObject => Object.fromEntries([...shared].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

type Kind =
  `${'' | 'Call' | 'KeyedCall' | 'NamedCall' | 'Answer' | 'Contract' | 'Run' | 'Decision' | 'Checkpoint'}Error`

const declaredError = {
  description: 'An error that the contract of the tool declares.',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
}

/** A run that has not ended is not an error over REST: it is answered with 202. */
const pipelineCodes = (Object.keys(pipelineErrors) as PipelineCode[]).filter((code) => code !== 'run_pending')
/** Never returned by a REST call of a listed tool: it has one name, and can be called. */
const never: readonly PipelineCode[] = ['tool_ambiguous', 'tool_planned']
/** Why a name does not lead to a contract. */
const resolving: readonly PipelineCode[] = ['tool_not_found', 'tool_ambiguous', 'tool_withheld', 'toolset_unavailable']
/** Only if the contract sets that limit. */
const byLimits: readonly PipelineCode[] = ['rate_limited', 'busy']

const pipelineAlways = toPossible(pipelineCodes.filter((code) => ![...never, ...byLimits].includes(code)))

function pipelineAt({ limits }: Contract): PossibleError[] {
  return toPossible([
    ...(limits.calls ? (['rate_limited'] as const) : []),
    ...(limits.concurrency ? (['busy'] as const) : []),
  ])
}

function toPossible(codes: readonly PipelineCode[]): PossibleError[] {
  return codes.map((code) => ({ code, status: pipelineErrors[code].status, when: pipelineErrors[code].when }))
}

function toResponse(status: number, errors: readonly PossibleError[], kind: Kind): JsonObject {
  const codes = [...new Set(errors.map(({ code }) => code))]
  const schema: JsonObject = {
    allOf: [
      { $ref: '#/components/schemas/Problem' },
      { type: 'object', properties: { status: { const: status }, code: { enum: codes } } },
    ],
  }
  return {
    description: errors.map(({ code, when }) => `- \`${code}\`: ${when}`).join('\n'),
    headers: toHeaders(status, kind),
    content: { 'application/problem+json': { schema } },
  }
}

function toHeaders(status: number, kind: Kind): JsonObject {
  return {
    ...(kind.includes('Call') && { 'Toolpact-Call-Id': { $ref: '#/components/headers/CallId' } }),
    ...((kind === 'KeyedCallError' || kind === 'NamedCallError') && {
      'Idempotency-Replayed': { $ref: '#/components/headers/Replayed' },
    }),
    ...(status === 401 && { 'WWW-Authenticate': { $ref: '#/components/headers/Authenticate' } }),
    ...(status === 429 && { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }),
    ...(status === 503 && { 'Retry-After': { $ref: '#/components/headers/RetryAfterMaybe' } }),
  }
}
