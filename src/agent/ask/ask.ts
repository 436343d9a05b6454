import type { CallResult } from '../../contract/call-result.ts'
import { digest } from '../../contract/digest.ts'
import type { JsonObject, JsonValue } from '../../contract/json.ts'
import { isOpaque } from '../../contract/opaque-output.ts'
import { ToolError } from '../../contract/tool-error.ts'
import type { Call } from '../../runtime/pipeline/call.ts'
import type { AgentHost, AgentTool } from '../agent-host.ts'
import { narrowCatalogue } from '../narrow-catalogue.ts'
import { openRunTrace, type RunTrace } from '../run-trace.ts'
import type { InputGate, QuestionRefusal } from './check-question.ts'
import { type Offer, toOffer } from './offer.ts'
import { decidePlan, type Plan, type PlanVerdict, type Said } from './plan.ts'
import type { Planner } from './planner.ts'
import type { Summary } from './summarize.ts'

export interface AskOptions extends Pick<Call, 'approver' | 'signal' | 'onProgress' | 'onOutput'> {
  readonly gate: InputGate
  readonly planner: Planner
  /** Maximum number of tools to offer a model. Default: 24. */
  readonly maxTools?: number
  /** Only read-only tools are offered: others would be denied. */
  readonly readOnly?: boolean
  /** Only these tools, by id. */
  readonly only?: readonly string[]
  /** Whether to summarize output without a schema too. Default: false. */
  readonly readsFreeForm?: boolean
  /** Summarizes output that conforms to its contract. */
  readonly summarize?: (output: JsonObject, signal?: AbortSignal) => Promise<Summary>
  /** Called with the plan before it is executed. */
  readonly onPlan?: (plan: Plan) => void
  /** Called with the result of the call, before it is summarized. */
  readonly onCalled?: (called: CalledTool) => void
  /** The run whose plan is executed again. */
  readonly replays?: string
}

export type AskResult = { readonly runId: string } & (
  | { readonly outcome: 'refused'; readonly by: QuestionRefusal | Extract<PlanVerdict, { passed: false }> }
  | { readonly outcome: 'needs_more_info'; readonly answer: string }
  | { readonly outcome: 'failed'; readonly error: { code: string; message: string; suggestion: string } }
  | CalledTool
)

export interface CalledTool {
  readonly outcome: 'called'
  readonly plan: Extract<Plan, { type: 'call_tool' }>
  readonly result: CallResult
  /**
   * `typed`: conforms to its contract. `opaque`: quoted data without a contract. `invalid`: violates its contract.
   * `none`: no output.
   */
  readonly output: 'typed' | 'opaque' | 'invalid' | 'none'
  /** Output that violated its contract. For people, never for a model. */
  readonly raw?: string
  readonly summary?: Summary
}

type Ended<Result = AskResult> = Result extends AskResult ? Omit<Result, 'runId'> : never

const usualTools = 24

/**
 * One question, at most one call: question check, catalogue, plan, pipeline, output. Each stage is recorded before the
 * next starts, and a refusal at any stage ends the run.
 */
export async function ask(host: AgentHost, question: string, options: AskOptions): Promise<AskResult> {
  const trace = openRunTrace(host, 'agent.ask')
  let ended: Ended
  try {
    ended = await run(host, question, { ...options, trace })
  } catch (cause) {
    await trace.end(false, { outcome: 'failed', code: codeOf(cause, options.signal) }).catch(() => {})
    if (!(cause instanceof ToolError)) throw cause
    const { code, message, suggestion = 'Try again.' } = cause
    return { runId: trace.runId, outcome: 'failed', error: { code, message, suggestion } }
  }
  await trace.end(...toEnd(ended))
  return { runId: trace.runId, ...ended } as AskResult
}

interface Run extends AskOptions {
  readonly trace: RunTrace
}

async function run(host: AgentHost, question: string, options: Run): Promise<Ended> {
  const { trace, gate, planner, signal } = options
  const verdict = gate.check(question)
  await trace.step('gate', verdict.passed, {
    // The ledger accepts only well-formed strings.
    question: question.toWellFormed(),
    ...(!verdict.passed && { code: verdict.code, reason: verdict.reason }),
    ...(!verdict.passed && verdict.pattern !== undefined && { pattern: verdict.pattern }),
    ...(options.replays !== undefined && { replays: options.replays }),
  })
  if (!verdict.passed) return { outcome: 'refused', by: verdict }
  const { offer, entries } = await offerTools(host, question, options)
  const said = await planner.plan(question, offer, signal)
  const read = decidePlan(said, offer)
  await trace.step('plan', read.passed, toPlanDetails(read, said))
  if (!read.passed) return { outcome: 'refused', by: read }
  const { plan } = read
  if (plan.type === 'final_answer') return { outcome: 'needs_more_info', answer: plan.answer }
  const entry = entries.find(({ toolset, tool }) => toolset === plan.server && tool.contract.name === plan.tool)!
  return callTool(host, { plan, entry }, options)
}

/** Admitted tools that this caller may use; if there are many, those that fit the question best. */
async function offerTools(
  host: AgentHost,
  question: string,
  { trace, planner, maxTools = usualTools, readOnly, only }: Run,
): Promise<{ offer: Offer; entries: readonly AgentTool[] }> {
  const all = await host.catalog.all(trace.caller)
  // The search reuses its index as long as the list is the same object.
  const usable = readOnly || only ? all.filter((entry) => isUsable(entry, { readOnly, only })) : all
  const entries = narrowCatalogue(usable, question, maxTools)
  const offer = await toOffer(entries, { catalog: host.catalog, caller: trace.caller })
  const { ids: tools, digest } = offer
  await trace.step('catalogue', tools.length > 0, { ...planner.about, digest, of: usable.length, tools: [...tools] })
  if (tools.length === 0)
    throw new ToolError('no_tools', 'No tool can be offered to the model.', {
      suggestion: 'toolpact list shows the tools; check --toolset, --read-only and callers in the config.',
    })
  return { offer, entries }
}

function isUsable({ id, tool }: AgentTool, { readOnly, only }: Pick<AskOptions, 'readOnly' | 'only'>): boolean {
  return (!readOnly || tool.contract.risk === 'read_only') && (!only || only.includes(id))
}

/** Stores a plan as parsed, so that it can be replayed; anything else as the model wrote it. */
function toPlanDetails(read: PlanVerdict, said: Said): JsonObject {
  if (read.passed) return { plan: read.plan as JsonObject, digest: digest(read.plan as JsonObject) }
  const kept: JsonValue =
    'plan' in said ? { plan: said.plan } : { text: said.text.toWellFormed(), toolCalls: said.toolCalls.map(toKeptCall) }
  return { code: read.code, reason: read.reason, said: kept, digest: digest(kept) }
}

function toKeptCall({ name, arguments: input }: { name: string; arguments: string }): JsonObject {
  return { name: name.toWellFormed(), arguments: input.toWellFormed() }
}

/** The pipeline decides, asks and runs. Nothing that the model said can approve anything. */
async function callTool(
  host: AgentHost,
  { plan, entry }: { plan: CalledTool['plan']; entry: AgentTool },
  { trace, approver, signal, onProgress, onOutput, onPlan, onCalled, ...summing }: Run,
): Promise<Ended> {
  onPlan?.(plan)
  const result = await host.call(entry.functionName, plan.args, {
    forModel: true,
    caller: trace.caller,
    origin: { surface: 'agent' },
    query: host.query(),
    ...(approver && { approver }),
    ...(signal && { signal }),
    ...(onProgress && { onProgress }),
    ...(onOutput && { onOutput }),
  })
  const { callId, success } = result
  await trace.step('call', result.success, { callId, tool: entry.id, ...(!success && { code: result.error.code }) })
  const output = toForm(result, entry)
  if (output !== 'none') await trace.step('output', output === 'typed', { form: output })
  const raw = output === 'invalid' ? await host.evidence.get(callId) : undefined
  const called = { outcome: 'called', plan, result, output, ...(raw !== undefined && { raw }) } as const
  onCalled?.(called)
  if (!summing.summarize || !result.success) return called
  return { ...called, summary: await sumUp(result.output, { output, signal, trace, ...summing }) }
}

function toForm(result: CallResult, { tool }: AgentTool): CalledTool['output'] {
  if (result.success) return isOpaque(tool.contract) ? 'opaque' : 'typed'
  return result.error.code === 'invalid_output' ? 'invalid' : 'none'
}

interface Summing extends Pick<Run, 'readsFreeForm' | 'summarize' | 'signal' | 'trace'>, Pick<CalledTool, 'output'> {}

/**
 * A model reads output without a contract only if the operator allows it. A failed summary does not affect the result.
 */
async function sumUp(
  value: JsonObject,
  { output, readsFreeForm, summarize, signal, trace }: Summing,
): Promise<Summary> {
  const none = (reason: string): Summary => ({
    none: true,
    reason,
    dropped: [],
    droppedCount: 0,
    chunks: 0,
    unusable: [],
  })
  let summary: Summary
  if (output !== 'typed' && !readsFreeForm)
    summary = none('The tool declares no output schema, and no model reads such output. --free-form lets it.')
  else {
    try {
      summary = await summarize!(value, signal)
    } catch (cause) {
      if (!(cause instanceof ToolError)) throw cause
      summary = none(cause.message)
    }
  }
  await trace.step('grounding', !('none' in summary), summary as unknown as JsonObject)
  return summary
}

function toEnd(ended: Ended): [passed: boolean, details: JsonObject] {
  const { outcome } = ended
  switch (outcome) {
    case 'refused':
      return [false, { outcome, code: ended.by.code }]
    case 'failed':
      return [false, { outcome, code: ended.error.code }]
    case 'needs_more_info':
      return [true, { outcome }]
    case 'called': {
      const { result } = ended
      return result.success ? [true, { outcome }] : [false, { outcome, code: result.error.code, ran: result.ran }]
    }
  }
}

function codeOf(cause: unknown, signal: AbortSignal | undefined): string {
  if (signal?.aborted) return 'cancelled'
  return cause instanceof ToolError ? cause.code : 'internal'
}
