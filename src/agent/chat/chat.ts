import type { Model, ModelAnswer } from '../../capabilities/model.ts'
import type { Restored } from '../../capabilities/restore.ts'
import type { CallResult } from '../../contract/call-result.ts'
import type { Image } from '../../contract/image.ts'
import type { JsonObject } from '../../contract/json.ts'
import { shorten } from '../../contract/text/shorten.ts'
import type { Caller } from '../../contract/tool.ts'
import { ToolError } from '../../contract/tool-error.ts'
import type { Approver } from '../../runtime/approval/approver.ts'
import type { Call } from '../../runtime/pipeline/call.ts'
import { isoTime } from '../../runtime/pipeline/iso-time.ts'
import type { Query } from '../../runtime/pipeline/queries.ts'
import type { Sessions } from '../../runtime/storage/sessions.ts'
import type { AgentHost, AgentTool } from '../agent-host.ts'
import { openRunTrace, type RunTrace } from '../run-trace.ts'
import type { ChatEvent, EndEvent } from './chat-entry.ts'
import { type AnswerEntry, type ChatEntry, type ChatOutcome, fromKept } from './chat-entry.ts'
import { type CallFault, type ChatTools, toChatTools } from './chat-tools.ts'
import {
  interrupted,
  makeBoundary,
  maxCalls,
  maxResultCharacters,
  refusals,
  stopped,
  toData,
  toFailed,
  toMessages,
  tooMany,
} from './to-messages.ts'

export interface ChatHost extends AgentHost {
  readonly sessions: Sessions
  readonly workspace: string
  continueSession(caller: Caller, tools: readonly string[]): Promise<void>
  restore(images: readonly Image[]): Promise<Restored[]>
}

export interface ChatOptions extends Pick<Call, 'onProgress' | 'onOutput'> {
  /** The id of a new or resumed session. */
  readonly session: string
  readonly model: Model
  readonly onEvent: (event: ChatEvent) => void
  readonly approver?: Approver
  /** Maximum number of answers of the model per question. Default: 25. */
  readonly maxSteps?: number
  /** How long the model may be silent. Default: from the model's settings. */
  readonly timeoutMs?: number
  /** Maximum number of characters of the session that the model reads. Default: 120,000. */
  readonly contextCharacters?: number
  /** Whether the model may read the output of this tool, which declares no output schema. Default: no. */
  readonly readsFreeForm?: (tool: string) => Promise<boolean>
  /** The operator allows one call per question. */
  readonly singleStep?: boolean
}

export interface Chat {
  /**
   * Works on a question until the model is done, the steps are used up, or the signal aborts. Never rejects for those.
   */
  say(question: string, signal: AbortSignal): Promise<EndEvent>
  /** Restores the files written by the last step that was not undone yet. */
  undo(): Promise<{ readonly step: number; readonly files: readonly Restored[] } | undefined>
}

const usualSteps = 25
const usualContext = 120_000
/** Fits into a session entry, even with every character escaped. */
const maxAnswerCharacters = 160_000

/** Opens a session. Stored from its first question on, entry by entry. */
export async function openChat(host: ChatHost, options: ChatOptions): Promise<Chat> {
  const { session, model, onEvent, approver, maxSteps = usualSteps, contextCharacters = usualContext } = options
  const { sessions } = host
  const caller = { name: 'agent', session }
  const [known] = (await sessions.find(session)).filter(({ id }) => id === session)
  const entries: ChatEntry[] = known ? fromKept(await sessions.read(session)) : []
  let begun = known !== undefined
  let folded = 0
  await closeInterrupted()
  await host.continueSession(caller, findReturned(entries))

  async function append(entry: ChatEntry) {
    await sessions.append(session, entry as unknown as JsonObject, Date.now())
    entries.push(entry)
  }

  /** Calls without a result belong to a process that died. The ledger records whether they ran. */
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
    const ended = await work(question, { signal, trace, counts }).then(
      (outcome) => ({ outcome, ...(outcome === 'bound' && toBound(maxSteps)) }),
      (cause) => (signal.aborted ? ({ outcome: 'stopped' } as const) : toFailure(cause)),
    )
    return end(trace, { ...counts, ...ended })
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
      // The same list object while nothing changes.
      const found = await host.catalog.all(caller)
      if (found !== listed) tools = await toChatTools(found, question, { catalog: host.catalog, caller })
      listed = found
      const answer = await ask(tools, signal)
      counts.steps++
      const step = nextStep()
      const { text, toolCalls: calls } = answer
      await append({ kind: 'answer', at: isoTime(), step, text, calls })
      onEvent({ type: 'answer', step, text, calls: calls.length })
      if (calls.length === 0) return 'answered'
      const maxCharacters = Math.min(maxResultCharacters, Math.floor(contextCharacters / 2 / calls.length))
      for (const [index, call] of calls.entries()) {
        if (signal.aborted) await append(toFailed(step, call, stopped))
        else if (index >= maxCalls) await append(toFailed(step, call, tooMany))
        else if (await run(call, { step, tools, signal, trace, query, maxCharacters })) counts.refused++
      }
      if (signal.aborted) return 'stopped'
    }
    return 'bound'
  }

  async function ask({ tools }: ChatTools, signal: AbortSignal): Promise<ModelAnswer> {
    const context = toMessages(entries, contextCharacters)
    if (context.folded > folded) onEvent({ type: 'folded', messages: context.folded })
    folded = context.folded
    onEvent({ type: 'asking', model: model.name })
    const onText = (text: string) => onEvent({ type: 'text', text })
    const answer = await model.complete(
      { messages: context.messages, ...(tools.length > 0 && { tools }) },
      { signal, onText, ...(options.timeoutMs !== undefined && { timeoutMs: options.timeoutMs }) },
    )
    const size = answer.toolCalls.reduce((sum, call) => sum + call.arguments.length, answer.text.length)
    if (size <= maxAnswerCharacters) return answer
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
    readonly maxCharacters: number
  }

  /** Returns whether the call was refused. */
  async function run(call: AnswerEntry['calls'][number], { step, tools, signal, trace, query, maxCharacters }: Step) {
    const read = tools.read(call.name, call.arguments)
    const name = read.tool ?? shorten(call.name, 80)
    onEvent({ type: 'call', step, tool: name, input: read.ok ? read.input : shorten(call.arguments, 1000) })
    const result: CallResult | undefined = read.ok
      ? await host.call(call.name, read.input, {
          forModel: true,
          ...{ caller, signal, keep: (image: Image) => sessions.keepImage(session, step, image) },
          origin: { surface: 'agent' },
          ...(approver && { approver }),
          ...(query && { query }),
          ...(options.onProgress && { onProgress: options.onProgress }),
          ...(options.onOutput && { onOutput: options.onOutput }),
        })
      : undefined
    const shown = result ?? { success: false as const, error: (read as { error: CallFault }).error }
    const error = shown.success ? undefined : shown.error
    const isHidden = shown.success && tools.isOpaque(name) && !(await options.readsFreeForm?.(name))
    const callId = result?.callId ?? null
    const facts = { callId, success: shown.success, code: error?.code ?? null }
    await append({
      ...{ kind: 'result', at: isoTime(), step, id: call.id, name: shorten(call.name, 80) },
      ...{ tool: read.tool ?? null, ...facts },
      data: toData(isHidden ? hiddenResult : shown, maxCharacters),
      boundary: makeBoundary(),
    })
    await trace.step('call', shown.success, {
      ...{ tool: name, callId, ...(error && { code: error.code }) },
      ...(isHidden && { hiddenFromModel: true }),
    })
    onEvent({
      ...{ type: 'result', step, ...facts, tool: name, message: error?.message ?? null },
      ...(result?.success === false && result.error.problems && { problems: result.error.problems.map(({ pointer, message }) => ({ pointer, message })) }), // biome-ignore format: one line
      output: shown.success ? shown.output : null,
      durationMs: result?.durationMs ?? 0,
    })
    if (isHidden) onEvent({ type: 'hidden', step, tool: name })
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
    return 1 + entries.reduce((last, entry) => ('step' in entry ? Math.max(last, entry.step) : last), 0)
  }

  async function undo() {
    const last = begun ? await sessions.lastImages(session) : undefined
    if (!last) return undefined
    const { step } = last
    const trace = openRunTrace(host, 'agent.chat')
    await trace.step('gate', true, { caller, question: '/undo' })
    const files = await host.restore(last.images)
    const outcomes = files.map(({ path, outcome }) => ({ path, outcome }))
    await append({ kind: 'undo', at: isoTime(), step, files: outcomes })
    const failed = files.some(({ outcome }) => outcome === 'failed')
    // Files that could not be restored may be next time.
    if (!failed) await sessions.forgetImages(session, step)
    await trace.end(!failed, { outcome: 'undone', step, files: outcomes, ...(failed && { code: 'undo_failed' }) })
    return { step, files }
  }

  return { say, undo }
}

/** Sent to the model if only people may read the output. */
const hiddenResult = {
  success: true,
  output: {
    hidden:
      'The tool ran. It declares no output schema, so its output was shown to the user only. Ask the user about it.',
  },
} as const

/** The tools whose results the model has read, in a resumed session. */
function findReturned(entries: readonly ChatEntry[]): string[] {
  const results = entries.filter((entry) => entry.kind === 'result')
  return results.flatMap(({ tool, code }) => (tool === null || refusals.has(code ?? '') ? [] : [tool]))
}

function toBound(maxSteps: number) {
  return {
    code: 'step_bound',
    message: `The model has used its ${maxSteps} steps and is not done.`,
    suggestion: 'Go on with --continue, or allow more with --max-steps.',
  }
}

function toFailure(cause: unknown): Pick<EndEvent, 'outcome' | 'code' | 'message' | 'suggestion'> {
  const message = cause instanceof Error ? cause.message : String(cause)
  if (!(cause instanceof ToolError)) return { outcome: 'failed', code: 'internal', message, suggestion: null }
  return { outcome: 'failed', code: cause.code, message, suggestion: cause.suggestion ?? null }
}

function toTitle(question: string): string {
  return shorten(question.trim().replace(/\s+/g, ' '), 80)
}
