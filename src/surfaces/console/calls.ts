import type { LedgerVerification } from '../../app/proof/ledger-proof.ts'
import { showValue } from '../../contract/text/show-value.ts'
import { toFoundCalls } from '../../runtime/storage/calls.ts'
import type { CallsQuery, FoundCall } from '../../runtime/storage/storage.ts'
import type {
  CallPage,
  CallRow,
  CallState,
  CallStory,
  EvidenceResponse,
  SealCheck,
  VerifyResponse,
} from './api/calls.ts'
import { type ConsoleParts, type Endpoint, Refusal } from './endpoint.ts'
import { toPrincipal } from './questions.ts'
import { pickGiven, readNumber, readText, readTime } from './read-query.ts'

export const callEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: 'calls', right: 'view', handle: ({ query }, { toolpact }) => listCalls(toolpact, query) },
  {
    method: 'GET',
    path: 'calls/{id}',
    right: 'view',
    text: 'code',
    handle: ({ params }, { toolpact }) => tellCall(toolpact, params.id!),
  },
  {
    method: 'GET',
    path: 'calls/{id}/evidence',
    right: 'view',
    text: 'code',
    async handle({ params }, { toolpact }): Promise<EvidenceResponse> {
      const text = await toolpact.evidence.get(params.id!)
      if (text !== undefined) return { text }
      throw new Refusal(
        'not_found',
        'No evidence is kept for this call.',
        'Only that of the newest violations is kept.',
      )
    },
  },
  {
    method: 'POST',
    path: 'ledger/verify',
    right: 'view',
    async handle(_asked, parts): Promise<VerifyResponse> {
      const found = await verifyLedger(parts.toolpact)
      parts.verified = found.intact ? 'intact' : 'broken'
      return found
    },
  },
]

/** Chain, tree and checkpoints, as `toolpact verify` does. */
async function verifyLedger({ ledger, proof }: Toolpact): Promise<VerifyResponse> {
  const found = await proof?.verify()
  const chain = found?.chain ?? (await ledger.verify())
  if (!chain.intact) {
    const { entries, brokenAtSeq, fault, reason } = chain
    return { intact: false, entries, fault, reason: fault === 'chain' ? `Broken at entry ${brokenAtSeq}: ${reason}` : reason } // biome-ignore format: one line
  }
  const [fault] = found?.seals.faults ?? []
  if (fault) return { intact: false, entries: chain.entries, fault: fault.fault, reason: sealFaults[fault.fault] }
  return { ...chain, seal: found ? toSealCheck(found) : null }
}

/** Without names of places, which are paths and addresses: the command names them. */
const sealFaults = {
  truncated: 'Entries that a checkpoint covers are missing: the ledger was truncated or rolled back.',
  rewritten: 'The entries are not those that a checkpoint covers: the history was rewritten.',
  signature: 'A checkpoint is not signed by a key that is known here.',
  tree: 'The stored hashes contradict each other.',
}

function toSealCheck({ seals, places, limits }: LedgerVerification): SealCheck {
  return {
    size: seals.newest?.size ?? 0,
    checkpoints: seals.checkpoints,
    places: {
      compared: places.filter(({ checkpoints }) => checkpoints > 0).length,
      failed: places.filter(({ fault }) => fault !== null).length,
    },
    limits,
  }
}

type Toolpact = ConsoleParts['toolpact']

async function listCalls({ ledger }: Toolpact, query: URLSearchParams): Promise<CallPage> {
  const now = Date.now()
  const found = await ledger.calls({
    ...toOutcome(readText(query, 'outcome'), new Date(now - runningMs)),
    ...pickGiven({
      tool: readText(query, 'tool'),
      caller: readText(query, 'caller'),
      text: readText(query, 'text'),
      since: readTime(query, 'since'),
      until: readTime(query, 'until'),
      before: readNumber(query, 'before', { max: Number.MAX_SAFE_INTEGER }),
    }),
    limit: readNumber(query, 'limit', { max: 200 }) ?? 50,
  })
  return { ...found, calls: found.calls.map((call) => toCallRow(call, now)) }
}

/** The ledger does not know whether a call without an outcome still runs: its age tells. */
function toOutcome(outcome: string | undefined, youngest: Date): Pick<CallsQuery, 'outcome' | 'since' | 'until'> {
  if (outcome === 'running') return { outcome: 'interrupted', since: youngest }
  if (outcome === 'interrupted') return { outcome, until: youngest }
  return outcome === undefined ? {} : { outcome }
}

async function tellCall({ ledger, evidence, approvals, runs }: Toolpact, id: string): Promise<CallStory> {
  const entries = await ledger.read({ callId: id })
  const [call] = toFoundCalls(entries)
  const question = await approvals.find(id, Date.now())
  if (!call) throw new Refusal('not_found', 'The ledger has no call with this id.', 'If it waits for approval, it is in the inbox. If it is old, it may have been archived: run toolpact ledger archives.') // biome-ignore format: one line
  const [first] = entries.map(({ record }) => record).filter((record) => record.kind === 'intent' || record.kind === 'refusal') // biome-ignore format: one line
  const steps = entries.map(({ record }) => record).filter((record) => record.kind === 'step')
  const approval = call.approval
  return {
    call: toCallRow(call),
    session: call.caller?.session ?? null,
    ...toPrincipal(call.caller),
    ...(first?.run && { run: first.run }),
    hasRun: (await runs?.find(id)) !== undefined,
    input: call.input,
    contractDigest: first?.contractDigest ?? null,
    inputDigest: first?.inputDigest ?? null,
    decision: call.decision,
    approval: approval && {
      answer: approval.answer,
      by: approval.by,
      ...(approval.via !== undefined && { via: approval.via }),
      ...(approval.note !== undefined && { note: approval.note }),
    },
    violation: call.violation,
    ...(call.journaled && { journaled: true as const }),
    hasEvidence: (await evidence.get(id)) !== undefined,
    entries: entries.map(({ seq, hash, record }) => ({ seq, kind: record.kind, at: record.at, hash })),
    ...(steps.length > 0 && {
      stages: steps.map(({ at, stage, passed, details }) => ({
        ...{ at, stage, passed, details },
        ...(typeof details.callId === 'string' && { callId: details.callId }),
      })),
    }),
    ...(question?.state === 'pending' && { questionId: id }),
  }
}

export function toCallRow(call: FoundCall, now = Date.now()): CallRow {
  const { seq, callId, at, tool, caller, errorCode, durationMs, checks, violation, input, approval } = call
  return {
    ...{ seq, callId, at, tool, caller: caller?.name ?? null, state: toState(call, now), code: errorCode },
    ...{ durationMs, checks, isRun: tool === 'agent.ask' || tool === 'agent.chat', isViolation: violation !== null },
    inputText: input === null ? '' : showValue(input, inputCharacters),
    approvedBy: approval?.answer === 'yes' ? approval.by : null,
  }
}

const inputCharacters = 160

/** No call runs longer than this without an outcome, unless its process has died. */
export const runningMs = 600_000

function toState({ state, at }: FoundCall, now: number): CallState {
  return state === 'interrupted' && now - Date.parse(at) < runningMs ? 'running' : state
}
