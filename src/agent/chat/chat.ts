import type { Model, ModelAnswer } from '../../capabilities/model.ts'
import type { Restored } from '../../capabilities/restore.ts'
import type { CallResult } from '../../contract/call-result.ts'
import type { Image } from '../../contract/image.ts'
import type { JsonObject } from '../../contract/json.ts'
import { ToolError } from '../../contract/tool-error.ts'
import type { Approver } from '../../pipeline/approver.ts'
import { isoTime } from '../../pipeline/iso-time.ts'
import type { Query } from '../../pipeline/query.ts'
import type { Sessions } from '../../storage/sessions.ts'
import type { AgentHost, AgentTool } from '../agent-host.ts'
import { openRunTrace, type RunTrace } from '../run-trace.ts'
import { type AnswerEntry, type ChatEntry, type ChatOutcome, fromKept, type ResultEntry } from './chat-entry.ts'
import type { ChatEvent, EndEvent } from './chat-event.ts'
import { type ChatTools, toChatTools } from './chat-tools.ts'
import { makeBoundary, toData } from './to-data.ts'
import { toMessages } from './to-messages.ts'

export interface ChatHost extends AgentHost {
  readonly sessions: Sessions
  readonly workspace: string
  restore(images: readonly Image[]): Promise<Restored[]>
}

export interface ChatOptions {
  /** The id of the session: a new one, or one that is gone on with. */
  readonly session: string
  readonly model: Model
  readonly onEvent: (event: ChatEvent) => void
  readonly approver?: Approver
  /** Answers of the model for one question. Default: 25. */
  readonly maxSteps?: number
  /** For one answer of the model. Default: what the model's settings say. */
  readonly timeoutMs?: number
  /** What the model reads of a session. Default: 120,000. */
  readonly contextCharacters?: number
  /** One question makes one call, because the operator says so. */
  readonly singleStep?: boolean
}

export interface Chat {
  /** Works on a question until the model has said all, the steps are used up, or the signal aborts. Never rejects for those. */
  say(question: string, signal: AbortSignal): Promise<EndEvent>
  /** Puts the files back that the last step wrote which is not undone yet. */
  undo(): Promise<{ readonly step: number; readonly files: readonly Restored[] } | undefined>
}

const usualSteps = 25
const usualContext = 120_000
/** Of one answer. More are refused, each with a result that says so. */
const mostCalls = 16
const mostResultCharacters = 16_000
/** Fits into an entry of a session, whatever has to be escaped in it. */
const mostAnswerCharacters = 160_000

/** Opens a session. It is kept from its first question on, entry by entry. */
export async function openChat(host: ChatHost, options: ChatOptions): Promise<Chat> {
  const { session, model, onEvent, approver, maxSteps = usualSteps, contextCharacters = usualContext } = options
  const { sessions } = host
  const caller = { name: 'agent', session }
  const [known] = (await sessions.find(session)).filter(({ id }) => id === session)
  const entries: ChatEntry[] = known ? fromKept(await sessions.read(session)) : []
  let begun = known !== undefined
  let folded = 0
  await closeInterrupted()

  async function append(entry: ChatEntry) {
    await sessions.append(session, entry as unknown as JsonObject, Date.now())
    entries.push(entry)
  }

  /** Calls without a result are of a process that died. Whether they ran, the ledger knows. */
  async function closeInterrupted() {
    const last = entries.findLastIndex(({ kind }) => kind === 'answer')
    const answer = entries[last] as AnswerEntry | undefined
    const answered = entries.slice(last + 1).filter(({ kind }) => kind === 'result').length
    const open = answer?.calls.slice(answered) ?? []
    for (const call of open) await append(toFailed(answer!.step, call, interrupted))
    if (open.length > 0) onEvent({ type: 'interrupted', calls: open.length })
  }

  async function say(question: string, signal: AbortSignal): Promise<EndEvent> {
    if (!begun) await sessions.begin({ id: session, workspace: host.workspace, title: toTitle(question) }, Date.now())
    begun = true
    await sessions.setStatus(session, 'active', Date.now())
    await append({ kind: 'user', at: isoTime(), text: question })
    const trace = openRunTrace(host, 'agent.chat')
    await trace.step('gate', true, { caller, question })
    const counts = { steps: 0, refused: 0 }
    try {
      const outcome = await work(question, { signal, trace, counts })
      return await end(trace, { ...counts, outcome, ...(outcome === 'bound' && toBound(maxSteps)) })
    } catch (cause) {
      const failure = signal.aborted ? { outcome: 'stopped' as const } : { outcome: 'failed' as const, ...toFailure(cause) } // biome-ignore format: one line
      return await end(trace, { ...counts, ...failure })
    }
  }

  interface Work {
    readonly signal: AbortSignal
    readonly trace: RunTrace
    readonly counts: { steps: number; refused: number }
  }

  async function work(question: string, { signal, trace, counts }: Work): Promise<ChatOutcome> {
    const query = options.singleStep ? host.query() : undefined
    let listed: readonly AgentTool[] | undefined
    let tools!: ChatTools
    while (counts.steps < maxSteps) {
      // The same list while nothing changes.
      const found = await host.catalog.all(caller)
      if (found !== listed) tools = await toChatTools(found, question)
      listed = found
      const answer = await ask(tools, signal)
      counts.steps++
      const step = nextStep()
      const { text, toolCalls: calls } = answer
      await append({ kind: 'answer', at: isoTime(), step, text, calls })
      onEvent({ type: 'answer', step, text, calls: calls.length })
      if (calls.length === 0) return 'answered'
      const most = Math.min(mostResultCharacters, Math.floor(contextCharacters / 2 / calls.length))
      for (const [index, call] of calls.entries()) {
        if (signal.aborted) await append(toFailed(step, call, stopped))
        else if (index >= mostCalls) await append(toFailed(step, call, tooMany))
        else if (await run(call, { step, tools, signal, trace, query, most })) counts.refused++
      }
      if (signal.aborted) return 'stopped'
    }
    return 'bound'
  }

  async function ask({ tools }: ChatTools, signal: AbortSignal): Promise<ModelAnswer> {
    const context = toMessages(entries, contextCharacters)
    if (context.folded > folded) onEvent({ type: 'folded', messages: context.folded })
    folded = context.folded
    onEvent({ type: 'asking' })
    const onText = (text: string) => onEvent({ type: 'text', text })
    const answer = await model.complete(
      { messages: context.messages, ...(tools.length > 0 && { tools }) },
      { signal, onText, ...(options.timeoutMs !== undefined && { timeoutMs: options.timeoutMs }) },
    )
    const size = answer.toolCalls.reduce((sum, call) => sum + call.arguments.length, answer.text.length)
    if (size <= mostAnswerCharacters) return answer
    throw new ToolError('model_error', `The answer of the model has ${size} characters, which is too much.`, {
      suggestion: 'Ask for less at once, such as a smaller file.',
    })
  }

  interface Step {
    readonly step: number
    readonly tools: ChatTools
    readonly signal: AbortSignal
    readonly trace: RunTrace
    readonly query: Query | undefined
    readonly most: number
  }

  /** Gives whether the call was refused. */
  async function run(call: AnswerEntry['calls'][number], { step, tools, signal, trace, query, most }: Step) {
    const read = tools.read(call.name, call.arguments)
    const name = read.tool ?? call.name.slice(0, 80)
    onEvent({ type: 'call', step, tool: name, input: read.ok ? read.input : call.arguments.slice(0, 1000) })
    const result: CallResult | undefined = read.ok
      ? await host.call(read.tool, read.input, {
          ...{ caller, signal, keep: (image: Image) => sessions.keepImage(session, step, image) },
          ...(approver && { approver }),
          ...(query && { query }),
        })
      : undefined
    const told = result ?? { success: false as const, error: (read as { error: ErrorLike }).error }
    const error = told.success ? undefined : told.error
    const callId = result?.callId ?? null
    const facts = { callId, success: told.success, code: error?.code ?? null }
    await append({
      ...{ kind: 'result', at: isoTime(), step, id: call.id, name: call.name.slice(0, 80) },
      ...{ tool: read.tool ?? null, ...facts },
      data: toData(told, most),
      boundary: makeBoundary(),
    })
    await trace.step('call', told.success, { tool: name, callId, ...(error && { code: error.code }) })
    onEvent({
      ...{ type: 'result', step, ...facts, tool: name, message: error?.message ?? null },
      output: told.success ? told.output : null,
      durationMs: result?.durationMs ?? 0,
    })
    return error !== undefined && refusals.has(error.code)
  }

  async function end(trace: RunTrace, ended: Partial<EndEvent> & Pick<EndEvent, 'outcome'>): Promise<EndEvent> {
    const { outcome, steps = 0, refused = 0, code = null, message = null, suggestion = null } = ended
    const event: EndEvent = { type: 'end', session, outcome, steps, refused, code, message, suggestion }
    await append({ kind: 'end', at: isoTime(), outcome, code })
    await sessions.setStatus(session, outcome === 'failed' ? 'failed' : 'idle', Date.now())
    await trace.end(outcome === 'answered', { outcome, ...(outcome !== 'answered' && { code: code ?? outcome }) })
    onEvent(event)
    return event
  }

  function nextStep(): number {
    return 1 + entries.reduce((most, entry) => ('step' in entry ? Math.max(most, entry.step) : most), 0)
  }

  async function undo() {
    const last = begun ? await sessions.lastImages(session) : undefined
    if (!last) return undefined
    const files = await host.restore(last.images)
    const told = files.map(({ path, outcome }) => ({ path, outcome }))
    await append({ kind: 'undo', at: isoTime(), step: last.step, files: told })
    await sessions.forgetImages(session, last.step)
    return { step: last.step, files }
  }

  return { say, undo }
}

interface ErrorLike {
  readonly code: string
  readonly message: string
  readonly suggestion: string
}

/** Codes of calls that somebody or something did not allow. */
const refusals = new Set(['denied', 'approval_denied', 'approval_timeout', 'approval_required', 'tool_withheld'])

const interrupted = {
  code: 'interrupted',
  message: 'The session ended while this call was under way. It may have run, or not, or in part.',
  suggestion: 'Look at what it should have changed before you call it again.',
}

const stopped = {
  code: 'cancelled',
  message: 'The person stopped the step before this call.',
  suggestion: 'Wait for what the person says next.',
}

const tooMany = {
  code: 'too_many_calls',
  message: `An answer may make ${mostCalls} calls, and this one is beyond them. It did not run.`,
  suggestion: 'Make it in your next answer.',
}

function toFailed(step: number, { id, name }: AnswerEntry['calls'][number], error: ErrorLike): ResultEntry {
  return {
    ...{ kind: 'result', at: isoTime(), step, id, name: name.slice(0, 80), tool: null, callId: null },
    ...{ success: false, code: error.code },
    data: toData({ success: false, error }, mostResultCharacters),
    boundary: makeBoundary(),
  }
}

function toBound(maxSteps: number) {
  return {
    code: 'step_bound',
    message: `The model has used its ${maxSteps} steps and is not done.`,
    suggestion: 'Go on with --continue, or allow more with --max-steps.',
  }
}

function toFailure(cause: unknown): { code: string; message: string; suggestion: string | null } {
  if (cause instanceof ToolError)
    return { code: cause.code, message: cause.message, suggestion: cause.suggestion ?? null }
  return { code: 'internal', message: cause instanceof Error ? cause.message : String(cause), suggestion: null }
}

function toTitle(question: string): string {
  const line = question.trim().replace(/\s+/g, ' ')
  return line.length <= 80 ? line : `${line.slice(0, 79).toWellFormed()}…`
}
