import type { ClientRequest } from '../../contract/call-client.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import type { Caller } from '../../contract/tool.ts'
import { toNotification } from '../../protocol/reply.ts'
import { findRefusal } from '../../runtime/approval/answer-question.ts'
import type { ApprovalAnswer, ApprovalRequest, Approver } from '../../runtime/approval/approver.ts'
import { findOwnQuestion, takeAnswer } from '../../runtime/approval/consume-answer.ts'
import { askAgain, withReason } from '../../runtime/approval/outdated.ts'
import type { QueuedDetails } from '../../runtime/approval/queue.ts'
import { createDeferringApprover, createWaitingApprover } from '../../runtime/approval/queue-approvers.ts'
import { toApproveCommand, toCallText } from '../../runtime/approval/texts.ts'
import type { Approvals } from '../../runtime/storage/storage.ts'
import { type AskIn, type Asking, createRunApprover, toKeepOptions } from '../asking.ts'
import { createDialogApprover } from './ask-client.ts'
import type { CallServices } from './call-tool.ts'
import { readClientAnswer } from './client-answer.ts'
import { type Exchange, toGone } from './connection.ts'
import { canElicit, canOpenPages, toElicitation, toPage, toPageElicitation } from './elicitation.ts'
import type { LiveCall } from './live-call.ts'
import { type Reporter, repeatProgress } from './progress.ts'
import type { RequestStates } from './request-state.ts'
import type { Client } from './server.ts'
import { type TaskQuestion, toTaskQuestion } from './tasks/task-question.ts'

/** How approval of a call is requested. */
export interface Approval {
  approver: Approver
  /** For calls that the run makes. They wait for the answer, since they cannot be repeated. */
  readonly innerApprover: Approver
  /** The question for a modern client, if the call ended with a pending question of this id. */
  toQuestion?: (id: string) => Promise<JsonObject | undefined>
  /** The same for a task that waits for its answer, if the call may become one. */
  toTaskQuestion?: (id: string) => Promise<TaskQuestion | undefined>
  /** Set if the request is refused, because it answers a question about another call. */
  refusal?: string
}

interface CallState {
  readonly exchange: LiveCall
  readonly client: Client
  readonly progress: Reporter | undefined
  readonly states: RequestStates
}

/** The key of our question in `inputRequests`. */
const questionKey = 'approval'

/** Asks the client's user if the client supports it and the operator wants it, otherwise in the queue. */
export function chooseApproval(services: CallServices, params: JsonObject, state: CallState): Approval {
  const { always } = services.asking
  if (always) return { approver: always, innerApprover: always }
  let chosen: Approvers | undefined
  // Made with the first question: most calls ask none.
  const choose = () => (chosen ??= createApprovers(services, { ...state, params, approval }))
  const approval: Approval = {
    approver: (request, signal) => choose().approver(request, signal),
    innerApprover: (request, signal) => choose().innerApprover(request, signal),
  }
  return approval
}

type Approvers = Pick<Approval, 'approver' | 'innerApprover'>

function createApprovers(
  { served: { approvals }, asking }: CallServices,
  { exchange, client, progress, states, params, approval }: CallState & { readonly params: JsonObject; readonly approval: Approval }, // biome-ignore format: one line
): Approvers {
  const ask = (question: ClientRequest, until: AbortSignal) =>
    client.isModern || exchange.mayBecomeTask
      ? exchange.askAnew({ [questionKey]: question }, until).then((answers) => answers[questionKey])
      : exchange.connection!.ask(exchange, question, until)
  const { maxWaitMs = asking.waitMs, progressMs } = asking
  const keep = toKeepOptions(approvals, asking)
  // A client without progress may have timed out unnoticed: its call must not run much later.
  const waitMs = progress ? maxWaitMs : Math.min(asking.waitMs, maxWaitMs)

  /** `open`: shows the pending question to the client. Returns a function that is called once the wait is over. */
  const waitInQueue = async (
    request: ApprovalRequest,
    signal: AbortSignal,
    open?: (id: string) => (answer?: ApprovalAnswer) => void,
  ) => {
    let id: string | undefined
    let end: ReturnType<NonNullable<typeof open>> | undefined
    const stop = repeatProgress(progress, () => id && toWaitingText(request, id), progressMs)
    const onPending = (pending: string) => {
      id = pending
      progress?.wait(toWaitingText(request, id))
      end = open?.(pending)
    }
    const leave = toGone(exchange)
    try {
      const answer = await createWaitingApprover({ ...keep, waitMs, onPending, leave })(request, signal)
      end?.(answer)
      return answer
    } finally {
      stop()
      end?.()
    }
  }
  const queue: Approver = (request, signal) => waitInQueue(request, signal)

  const canAsk = client.isModern || exchange.canSend || exchange.mayBecomeTask
  const choose = async (request: ApprovalRequest): Promise<Place> =>
    canAsk ? choosePlace(asking, { caller: exchange.caller, client }, request) : { kind: 'queue' }

  const given = client.isModern ? readAnswer(params, states.given) : undefined
  const askLater = createDeferringApprover(keep)
  const askForRun = createRunApprover(approvals, asking)
  const inDialog = createDialogApprover({ keep, queue, waitMs, exchange, progress, progressMs, inQueue: toAskIn(asking, exchange.caller) === 'both', ask }) // biome-ignore format: one line
  const takeGiven = given && toAnswered(approvals, given, { approval, queue, askLater, states })
  return {
    async approver(request, signal) {
      const place = await choose(request)
      if (exchange.mayBecomeTask && !given) {
        approval.toTaskQuestion = (id) => toTaskQuestion(approvals, id, place)
        if (place.kind !== 'queue' && client.isModern)
          approval.toQuestion = (id) => toQuestion(approvals, id, { states, console: place.console })
        return askLater(request, signal)
      }
      // A client that opened the page, or declined to, has answered nothing.
      if (place.kind === 'queue' || (place.kind === 'page' && given)) return queue(request, signal)
      if (takeGiven) return takeGiven(request, signal)
      if (client.isModern) {
        approval.toQuestion = (id) => toQuestion(approvals, id, { states, console: place.console })
        return askLater(request, signal)
      }
      const { console } = place
      if (console !== undefined)
        return waitInQueue(request, signal, (id) => openPage(exchange, toPageElicitation(request, toPage(console, id)), id)) // biome-ignore format: one line
      return inDialog(request, signal)
    },
    async innerApprover(request, signal) {
      const { kind } = await choose(request)
      // The run of a workflow waits by itself, and its task shows the question.
      if (exchange.runId !== undefined && (exchange.mayBecomeTask || kind !== 'form')) return askForRun(request, signal)
      if (!client.isModern && !exchange.mayBecomeTask) return approval.approver(request, signal)
      return kind === 'form' ? inDialog(request, signal) : queue(request, signal)
    },
  }
}

export type Place =
  | { readonly kind: 'queue' | 'form'; readonly console?: undefined }
  | { readonly kind: 'page'; readonly console: string }

function toAskIn({ askIn }: Asking, caller: Caller): AskIn {
  return askIn?.(caller) ?? 'client'
}

/** Where a question is shown, besides the queue. The client's own dialog only if its answer would count. */
export async function choosePlace(
  asking: Asking,
  { caller, client }: { readonly caller: Caller; readonly client: Client },
  question: Parameters<typeof findRefusal>[0],
): Promise<Place> {
  const askIn = toAskIn(asking, caller)
  if (askIn === 'queue') return { kind: 'queue' }
  const mayAnswer = findRefusal(question, { person: caller.name, via: 'elicitation' }) === undefined
  if (mayAnswer && askIn !== 'console') return { kind: canElicit(client) ? 'form' : 'queue' }
  const console = canOpenPages(client) ? await asking.findConsole?.() : undefined
  return console === undefined ? { kind: 'queue' } : { kind: 'page', console }
}

/** Asks a client before 2026-07-28 to open a page. What it answers does not matter: people answer in the console. */
function openPage(exchange: Exchange, params: JsonObject, elicitationId: string) {
  const over = new AbortController()
  exchange
    .connection!.ask(exchange, { method: 'elicitation/create', params: { ...params, elicitationId } }, over.signal)
    .catch(() => {})
  return (answer?: ApprovalAnswer) => {
    if (answer && answer.answer !== 'later')
      exchange.send(toNotification('notifications/elicitation/complete', { elicitationId }))
    over.abort()
  }
}

function toWaitingText({ contract, effects }: ApprovalRequest, id: string): string {
  return `Waiting for approval of ${toCallText(contract.name, effects)}. Run: ${toApproveCommand(id)}`
}

interface GivenAnswer {
  readonly id: string
  readonly response: JsonObject
  /** Since the question was sent. */
  readonly elapsedMs: number
}

/** The client's answer to a question from an earlier request. */
function readAnswer({ inputResponses }: JsonObject, state: RequestStates['given']): GivenAnswer | undefined {
  const response = isObject(inputResponses) ? inputResponses[questionKey] : undefined
  if (state === undefined || !isObject(response)) return undefined
  return { id: state.id, response, elapsedMs: Date.now() - state.at }
}

/** Applies the client's answer to a pending question, which must be this caller's and about exactly this call. */
function toAnswered(
  approvals: Approvals,
  given: GivenAnswer,
  { approval, queue, askLater, states }: { readonly approval: Approval; readonly queue: Approver; readonly askLater: Approver; readonly states: RequestStates }, // biome-ignore format: one line
): Approver {
  let isTaken = false

  async function take(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    // Something changed between the approval and its use: ask again.
    if (isTaken) return askAnew(request, signal)
    isTaken = true
    const { binding, caller } = request
    const question = await findOwnQuestion(approvals, given.id, binding)
    if (!question) {
      approval.refusal = 'requestState does not belong to a question about this call. Call again without it.'
      return { answer: 'no', by: 'no one: the answer is to another question' }
    }
    const answer = readClientAnswer(given.response, given.elapsedMs, caller.name)
    const { difference } = question
    if (answer.kind === 'yes' && difference) {
      await approvals.discard(given.id, Date.now())
      return withReason(await askAnew(askAgain(request, difference), signal), difference)
    }
    if (answer.kind === 'not_asked' && question.state === 'pending')
      return { ...(await queue(request, signal)), note: answer.note }
    return takeAnswer(approvals, { id: given.id, request, answer, via: 'elicitation' })
  }

  /** Sends the client the current question. */
  function askAnew(...asked: Parameters<Approver>): Promise<ApprovalAnswer> {
    approval.toQuestion = (id) => toQuestion(approvals, id, { states })
    return askLater(...asked)
  }

  return take
}

interface QuestionOptions {
  readonly states: RequestStates
  /** Address of the console, if the question opens there. */
  readonly console?: string | undefined
}

async function toQuestion(
  approvals: Approvals,
  id: string,
  { states, console }: QuestionOptions,
): Promise<JsonObject | undefined> {
  const details = (await approvals.details(id, Date.now())) as unknown as QueuedDetails | undefined
  if (!details) return undefined
  const params = console === undefined ? await toElicitation(details) : toPageElicitation(details, toPage(console, id))
  return {
    inputRequests: { [questionKey]: { method: 'elicitation/create', params } },
    requestState: await states.sign(id),
  }
}
