import { OutdatedApproval } from '../../contract/approved-files.ts'
import type { Contract, DeclaredError } from '../../contract/contract.ts'
import { toPipelineError } from '../../contract/error-codes.ts'
import { type Fault, faultOf, takeEvidence } from '../../contract/evidence.ts'
import type { Infer } from '../../contract/infer.ts'
import type { JsonObject, JsonSchema } from '../../contract/json.ts'
import { RunPending } from '../../contract/run-part.ts'
import { boundJson } from '../../contract/schema/bound-json.ts'
import type { JsonRefusal } from '../../contract/schema/json-refusal.ts'
import { type LoadedValidator, loadValidator } from '../../contract/schema/load-validator.ts'
import { type ErrorData, type Problem, ToolError } from '../../contract/tool-error.ts'
import { withKnownNames } from './caller-errors.ts'
import type { Catalog } from './catalog.ts'
import type { Report } from './report.ts'
import type { RunEnd } from './run-bounded.ts'
import { Stop } from './stop.ts'
import { type Trace, toAttached } from './trace.ts'
import { whenReady } from './when-ready.ts'

/** Parameters that commonly narrow a result. */
const narrows =
  /^(?:limit|max[_-]?\w{0,20}|page|page[_-]?(?:size|token)|per[_-]?page|count|top|top[_-]?k|first|last|head|tail|offset|cursor|start[_-]?\w{0,12}|end[_-]?\w{0,12}|range|fields|depth|filter)$/i

interface Around {
  readonly catalog: Catalog<never>
  readonly report: Report
}

/** Levels of nesting in an input, an output or a failure. */
export const maxDepth = 64

/** What `run` or `validate` returned. Throws a `Stop` if it did not return. `toDo`: what it failed to do in time. */
export function toReturned(
  trace: Trace,
  ended: RunEnd,
  { toDo, timeoutMs, report }: { readonly toDo: string; readonly timeoutMs: number; readonly report: Report },
): unknown {
  const { calledAs } = trace
  switch (ended.end) {
    case 'cancelled':
      throw Stop.at('cancelled', 'The call was cancelled.')
    case 'busy':
      throw Stop.at('busy', `Too many calls of '${calledAs}' are waiting their turn.`)
    case 'timeout':
      throw Stop.at('timeout', `'${calledAs}' did not ${toDo} within ${timeoutMs / 1000} s.`)
    case 'threw':
      if (ended.cause instanceof OutdatedApproval) throw Stop.at('approval_outdated', ended.cause.message)
      if (ended.cause instanceof RunPending)
        throw Stop.at('run_pending', ended.cause.message, { suggestion: ended.cause.suggestion })
      report(trace, { kind: 'threw', message: 'The tool threw an exception.', raw: ended.cause })
      throw toUnexpected(calledAs, faultOf(ended.cause))
    case 'returned':
      return ended.value
  }
}

/** With what Toolpact knows about it. */
function toUnexpected(calledAs: string, fault: Fault | undefined): Stop {
  const what = `'${calledAs}' failed unexpectedly.`
  return Stop.at('internal', fault ? `${what} ${fault.message}` : what, fault?.suggestion === undefined ? {} : { suggestion: fault.suggestion }) // biome-ignore format: one line
}

/** The output, bounded and valid. Throws a `Stop` otherwise. */
export function checkOutput(
  trace: Trace,
  returned: unknown,
  { report }: Pick<Around, 'report'>,
): JsonObject | Promise<JsonObject> {
  const contract = trace.contract!
  const { outputBytes } = contract.limits
  const bounded = boundJson(returned, { maxBytes: outputBytes, maxDepth })
  if (!bounded.ok) throw toUnbounded(trace, contract, { refusal: bounded, returned, report })
  if (trace.handed) {
    const checked = toAttached(trace.handed, { maxBytes: outputBytes - bounded.bytes, maxDepth })
    if (!checked.ok) throw toUnbounded(trace, contract, { refusal: checked, returned, report })
    trace.attached = checked.attached
  }
  return whenReady(findOutputProblems(contract, bounded.value), (problems) => {
    if (problems.length > 0) throw toInvalidOutput(trace, { returned, problems, report })
    return bounded.value as JsonObject
  })
}

/** A tool's error as a `Stop`, if its contract declares it. Throws another `Stop` otherwise. */
export async function checkFailure(trace: Trace, error: unknown, { catalog, report }: Around): Promise<Stop> {
  if (!(error instanceof ToolError)) throw toInvalidOutput(trace, { returned: error, problems: [notAnError], report })
  const contract = trace.contract!
  const declared = contract.errors.find(({ code }) => code === error.code)
  if (!declared) {
    report(trace, { kind: 'undeclared_error', message: `The code is ${error.code}.`, raw: error })
    throw Stop.at('invalid_output', `'${trace.calledAs}' failed in a way that its contract does not declare.`)
  }
  const bounded = boundJson(fromToolError(error), { maxBytes: contract.limits.outputBytes, maxDepth })
  if (!bounded.ok) throw toUnbounded(trace, contract, { refusal: bounded, returned: error, report })
  const { value } = bounded
  const problems = await findFailureProblems(value)
  if (problems.length > 0) throw toInvalidOutput(trace, { returned: error, problems, report })
  return new Stop(withKnownNames(catalog, trace, { ...toErrorData(value as never, declared), advice: error.advice }))
}

const notAnError = {
  pointer: '',
  keyword: 'type',
  expected: 'undefined or an error',
  message: 'validate returned something other than undefined or an error.',
}

interface Returned {
  readonly returned: unknown
  readonly problems: readonly Problem[]
  readonly report: Report
}

function toInvalidOutput(trace: Trace, { returned, problems, report }: Returned): Stop {
  report(trace, { kind: 'invalid_output', message: problems[0]!.message, problems, raw: takeEvidence(returned) })
  const { message, suggestion } = faultOf(returned) ?? {}
  const reason = message === undefined ? '' : ` ${message}`
  return Stop.at('invalid_output', `'${trace.calledAs}' returned something that its contract does not allow.${reason}`, { ...(suggestion !== undefined && { suggestion }) }) // biome-ignore format: one line
}

function toUnbounded(
  trace: Trace,
  contract: Contract,
  { refusal, ...more }: Omit<Returned, 'problems'> & { readonly refusal: JsonRefusal },
): Stop {
  const { pointer, message, reason } = refusal
  if (reason !== 'not_json')
    return new Stop(toOutputTooLarge(trace, contract, reason === 'too_deep' ? { maxDepth } : reason))
  const problem = { pointer, keyword: reason, expected: 'bounded JSON', message }
  return toInvalidOutput(trace, { ...more, problems: [problem] })
}

/** Names the limit, how to request less, and the setting that raises it. */
function toOutputTooLarge(
  { calledAs, toolId }: Pick<Trace, 'calledAs' | 'toolId'>,
  { limits: { outputBytes }, input }: Pick<Contract, 'limits' | 'input'>,
  limit: 'too_large' | { readonly maxDepth: number },
): ErrorData {
  const narrowing = Object.keys(input.properties ?? {}).filter((name) => narrows.test(name))
  const less =
    narrowing.length > 0 ? `Ask for less, with ${narrowing.slice(0, 3).join(', ')}.` : 'Ask for less at once.'
  if (limit !== 'too_large') {
    const message = `The output of '${calledAs}' is nested more than ${limit.maxDepth} levels deep, which no setting raises.`
    return toPipelineError('output_too_large', message, { suggestion: less })
  }
  const setting = JSON.stringify({ limits: { [toolId]: { outputBytes: outputBytes * 2 } } })
  const message = `The output of '${calledAs}' has more than ${outputBytes} bytes, its limit (outputBytes).`
  return toPipelineError('output_too_large', message, {
    suggestion: `${less} To raise the limit, the operator sets ${setting} in toolpact.json.`,
  })
}

/** Cached by schema. Input validators set defaults, so they are cached separately. */
type Loaded = WeakMap<JsonSchema, LoadedValidator>
const ofInputs: Loaded = new WeakMap()
const ofOutputs: Loaded = new WeakMap()

/** Returns a promise only if the validator is not loaded yet. */
export function findInputProblems({ input }: Contract, value: unknown): Problem[] | Promise<Problem[]> {
  return ofInputs.get(input)?.validate(value) ?? loadAndFind(ofInputs, input, value)
}

function findOutputProblems({ output }: Contract, value: unknown): Problem[] | Promise<Problem[]> {
  return ofOutputs.get(output)?.validate(value) ?? loadAndFind(ofOutputs, output, value)
}

/** An error of a tool is checked like an output. */
function findFailureProblems(value: unknown): Problem[] | Promise<Problem[]> {
  return ofOutputs.get(toolFailureSchema)?.validate(value) ?? loadAndFind(ofOutputs, toolFailureSchema, value)
}

async function loadAndFind(loaded: Loaded, schema: JsonSchema, value: unknown): Promise<Problem[]> {
  const validator = await loadValidator(schema, { useDefaults: loaded === ofInputs })
  loaded.set(schema, validator)
  return validator.validate(value)
}

const text = { type: 'string', maxLength: 65_536 } as const

/** What a tool's error may contain. It is checked like an output, because callers read it like one. */
export const toolFailureSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  additionalProperties: false,
  required: ['message'],
  properties: {
    message: text,
    suggestion: text,
    retryAfterMs: { type: 'number', minimum: 0 },
    connect: { type: 'string', pattern: '^https?://', maxLength: 8192 },
    problems: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['pointer', 'keyword', 'expected', 'message'],
        properties: { pointer: text, keyword: text, expected: text, found: text, message: text },
      },
    },
  },
} as const

/** A tool's error as data, unchecked. */
function fromToolError({ message, suggestion, retryAfterMs, connect, problems }: ToolError): object {
  return {
    message,
    ...(suggestion !== undefined && { suggestion }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(connect !== undefined && { connect }),
    ...(problems !== undefined && { problems }),
  }
}

/** A declared error. Code, status and default suggestion come from the contract, never from the tool. */
function toErrorData(failure: Infer<typeof toolFailureSchema>, { code, status, suggestion }: DeclaredError): ErrorData {
  return { code, suggestion, ...failure, status, fixable: status < 500 }
}
