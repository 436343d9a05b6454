import type { JsonObject } from '../../contract/json.ts'
import { isObject } from '../../mcp/message.ts'
import { type ApprovalAnswer, type ApprovalDetails, type Approver, denyAll } from '../../pipeline/approver.ts'
import { createDeferringApprover } from '../../pipeline/deferring-approver.ts'
import { createQueueApprover } from '../../pipeline/queue-approver.ts'
import { toDetails } from '../../pipeline/to-details.ts'
import type { Approvals } from '../../storage/storage.ts'
import type { CallServices } from './call-tool.ts'
import type { Exchange } from './connection.ts'
import { canElicit, isYes, toElicitation } from './elicitation.ts'
import type { Client } from './server.ts'

/** How one call is asked about. */
export interface Approval {
  approver: Approver
  /** What a modern client is asked, where the call ended with the question of this id. */
  toQuestion?: (id: string) => Promise<JsonObject | undefined>
  /** Why the request is refused: it answers a question that is not its own. */
  refusal?: string
}

/** A person may take so long to answer a question that their client shows them. */
const elicitationMs = 600_000
/** Our one question among those that a modern client is asked. */
const questionKey = 'approval'

/** The client's user is asked where the client can, else whoever looks into the queue. */
export function chooseApproval(
  { served: { approvals }, asking }: CallServices,
  params: JsonObject,
  exchange: Exchange,
  client: Client,
): Approval {
  if (asking.always) return { approver: asking.always }
  const { waitMs } = asking
  const onWaiting = (request: Parameters<Approver>[0], id = request.callId) => asking.onWaiting(request, id)
  const queue = waitMs > 0 ? createQueueApprover({ approvals, waitMs, onWaiting }) : denyAll
  if (!canElicit(client)) return { approver: queue }
  if (!client.isModern) return { approver: exchange.canSend ? toElicitingApprover(exchange, queue) : queue }
  const answer = readAnswer(params)
  if (answer) return toAnswered(approvals, answer)
  return {
    approver: createDeferringApprover({ approvals, keepMs: elicitationMs, onWaiting }),
    toQuestion: (id) => toQuestion(approvals, id),
  }
}

/** The call waits while a client of an older revision asks its user. One that cannot after all leaves it to the queue. */
function toElicitingApprover(exchange: Exchange, queue: Approver): Approver {
  return async (request, signal) => {
    const silence = AbortSignal.timeout(elicitationMs)
    const by = toAnswerer(exchange.caller.name)
    try {
      const until = AbortSignal.any([signal, silence])
      const result = await exchange.connection!.ask(exchange, toElicitation(await toDetails(request)), until)
      if (result === undefined) return queue(request, signal)
      return { answer: isYes(result) ? 'yes' : 'no', by, via: 'elicitation' }
    } catch {
      return { answer: silence.aborted ? 'timeout' : 'no', by: 'nobody: the client did not answer', via: 'elicitation' }
    }
  }
}

interface GivenAnswer {
  readonly id: string
  readonly isYes: boolean
}

/** What the client's user answered to the question of an earlier request. */
function readAnswer({ requestState, inputResponses }: JsonObject): GivenAnswer | undefined {
  if (typeof requestState !== 'string' || !isObject(inputResponses)) return undefined
  const response = inputResponses[questionKey]
  return isObject(response) ? { id: requestState, isYes: isYes(response) } : undefined
}

/** Answers a question that waits, but only one that this caller asked about exactly this call. */
function toAnswered(approvals: Approvals, given: GivenAnswer): Approval {
  const approval: Approval = {
    async approver({ binding, caller }): Promise<ApprovalAnswer> {
      const now = Date.now()
      const question = (await approvals.questions(now)).find(({ id }) => id === given.id)
      const isSame =
        question?.tool === binding.tool &&
        question.contractDigest === binding.contractDigest &&
        question.inputDigest === binding.inputDigest
      const asker = (question?.details as Partial<ApprovalDetails> | undefined)?.caller?.name
      if (!question || !isSame || (question.state === 'pending' && asker !== caller.name)) {
        approval.refusal = 'requestState names no question about this call. Call again without it.'
        return { answer: 'no', by: 'nobody: the answer is to another question' }
      }
      const by = toAnswerer(caller.name)
      if (question.state === 'pending')
        await approvals.answer(given.id, { answer: given.isYes ? 'yes' : 'no', by }, now)
      const granted = await approvals.use(given.id, binding, now)
      if (granted) return { answer: 'yes', by: granted.by, via: 'elicitation', id: given.id }
      const state = await approvals.look(given.id, now)
      if (state.state === 'answered' && state.answer === 'no') return { answer: 'no', by: state.by, via: 'elicitation' }
      return {
        answer: 'timeout',
        by: 'nobody in time: the question has expired, or its answer was used',
        via: 'elicitation',
      }
    },
  }
  return approval
}

async function toQuestion(approvals: Approvals, id: string): Promise<JsonObject | undefined> {
  const question = (await approvals.questions(Date.now())).find((each) => each.id === id)
  if (question?.state !== 'pending') return undefined
  const params = toElicitation(question.details as unknown as ApprovalDetails)
  return { inputRequests: { [questionKey]: { method: 'elicitation/create', params } }, requestState: id }
}

function toAnswerer(caller: string): string {
  return `${caller} by MCP elicitation`
}
