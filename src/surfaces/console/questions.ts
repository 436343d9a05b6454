import type { Toolpact } from '../../app/app.ts'
import { toPerson } from '../../contract/principal.ts'
import { findRefusal } from '../../runtime/approval/answer-question.ts'
import { countSameApprovals } from '../../runtime/approval/count-same-approvals.ts'
import type { QueuedDetails, QueuedSummary } from '../../runtime/approval/queue.ts'
import type { RememberedQuestion } from '../../runtime/storage/storage.ts'
import type { Person } from '../http/route.ts'
import type { FileChange, Principal, QuestionDetail, QuestionList, QuestionRow } from './api/questions.ts'
import { type Endpoint, Refusal } from './endpoint.ts'
import { toAnswerer } from './person.ts'

export const questionEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: 'questions',
    right: 'view',
    text: 'code',
    handle: ({ person }, { toolpact }) => listQuestions(toolpact, person),
  },
  {
    method: 'GET',
    path: 'questions/{id}',
    right: 'view',
    text: 'code',
    handle: ({ params, person }, { toolpact }) => showQuestion(toolpact, params.id!, person),
  },
]

async function listQuestions({ approvals }: Toolpact, person: Person): Promise<QuestionList> {
  const all = await approvals.questions(Date.now())
  return {
    pending: all.filter(({ state }) => state === 'pending').map((question) => toRow(question, person)),
    ended: all
      .filter(({ state }) => state !== 'pending')
      .reverse()
      .map((question) => ({
        id: question.id,
        tool: question.tool,
        caller: question.caller,
        ...(question.state === 'answered'
          ? { answer: question.answer, by: question.by }
          : { answer: 'expired', by: null }),
      })),
  }
}

async function showQuestion(
  { approvals, catalog, ledger }: Toolpact,
  id: string,
  person: Person,
): Promise<QuestionDetail> {
  const now = Date.now()
  const question = await approvals.find(id, now)
  const details = (await approvals.details(id, now)) as unknown as QueuedDetails | undefined
  if (!question || !details) throw toMissing(question)
  const { input, texts, effects, foreseen, reason, caller, run, offers = [] } = details
  const { places, changes, sandbox, steps, problem } = foreseen
  const [found, sameApproved] = await Promise.all([catalog.find(question.tool), countSameApprovals(ledger, question)])
  return {
    ...toRow(question, person),
    ...{ input, texts, effects, places, changes: changes.map(toFileChange), reason },
    ...(sandbox !== undefined && { sandbox }),
    ...(steps && { steps }),
    ...(problem !== undefined && { problem }),
    session: caller.session ?? null,
    ...toPrincipal(caller),
    ruleFor: toPerson(caller),
    ...(run && { run }),
    contractDigest: question.contractDigest,
    inputDigest: question.inputDigest,
    description: found.kind === 'found' ? found.tool.contract.description : '',
    offers,
    sameApproved,
  }
}

function toRow(question: RememberedQuestion, person: Person): QuestionRow {
  const { id, tool, workspace, askedAt, expiresAt, awaitedBy, approvedBy, peopleNeeded } = question
  const refusal = findRefusal(question, toAnswerer(person))
  const { risk, caller, target } = question.summary as unknown as QueuedSummary
  return {
    ...{ id, tool, risk, caller: caller.name, target, workspace },
    askedAt: new Date(askedAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
    isAwaited: awaitedBy !== null,
    approvedBy,
    peopleNeeded,
    ...(refusal !== undefined && { refusal }),
  }
}

/** Why a question cannot be shown or answered. */
export function toMissing(question: RememberedQuestion | undefined): Refusal {
  if (question?.state === 'answered') {
    const did = question.answer === 'yes' ? 'approved' : 'denied'
    return new Refusal('not_found', `${question.by} ${did} this call already.`, 'Choose another question.')
  }
  return new Refusal(
    'not_found',
    'The question is no longer pending: it expired, or its caller withdrew it.',
    'Choose another question. If the call is made again, it asks again.',
  )
}

const maxLines = 2000

type Change = QueuedDetails['foreseen']['changes'][number]

export function toFileChange({ path, kind, added, removed, lines }: Change): FileChange {
  const kinds = { same: 'same', added: 'added', removed: 'removed', place: 'gap', note: 'gap' } as const
  return {
    ...{ path, kind, added, removed },
    lines: lines.slice(0, maxLines).map((line) => ({ kind: kinds[line.kind], text: line.text })),
    omitted: Math.max(0, lines.length - maxLines),
  }
}

/** What is known of a caller besides its name. */
export function toPrincipal(caller: Principal | null): { readonly principal?: Principal } {
  const { via, issuer, subject, groups = [] } = caller ?? {}
  const principal = {
    ...(via !== undefined && { via }),
    ...(issuer !== undefined && { issuer }),
    ...(subject !== undefined && { subject }),
    ...(groups.length > 0 && { groups: groups.slice(0, maxGroups) }),
  }
  return Object.keys(principal).length > 0 ? { principal } : {}
}

const maxGroups = 50
