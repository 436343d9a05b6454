import type { Toolpact } from '../../app/app.ts'
import type { StorageHealth } from '../../runtime/storage/storage.ts'
import { localCaller } from '../http/credentials.ts'
import type { Overview, Right, Session } from './api/api.ts'
import { type ConsoleParts, type Endpoint, Refusal } from './endpoint.ts'
import { countReviews } from './reviews.ts'
import { toStepQuestions } from './runs.ts'

export const sessionEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: 'session',
    handle: ({ person }, { toolpact, version, url }): Session => ({
      person: person.name,
      rights: person.rights as readonly Right[],
      version,
      workspace: toolpact.workspace,
      url,
    }),
  },
  { method: 'GET', path: 'overview', right: 'view', handle: (_asked, parts) => toOverview(parts) },
  {
    method: 'GET',
    path: 'clients',
    right: 'view',
    handle: (_asked, { toClients, tokens }) => ({ clients: toClients(), canCreateToken: tokens !== undefined }),
  },
  {
    method: 'POST',
    path: 'clients/token',
    right: 'manage',
    body: 'CreateTokenRequest',
    // Whoever has a token can call tools. It is shown this once.
    handle: async ({ body }, { tokens }) => {
      if (!tokens) throw new Refusal('conflict', 'Callers do not use tokens of this server.')
      const { client } = body as { readonly client?: string }
      const { id, caller, token } = await tokens.create(localCaller.name, { label: client ?? 'console' })
      return { id, caller, token }
    },
  },
]

/** If the state cannot be read, the counts are the last that were known, or zero, and `storage` says so. */
export async function toOverview({ toolpact, verified }: ConsoleParts): Promise<Overview> {
  const { isWritable, lastCommitAt, lastFailure, journal } = await checkStorage(toolpact)
  const { questions, reviews, runs, head, seal } = await readCounts(toolpact)
  const servers = toolpact.upstreams.look()
  const count = (state: string) => servers.filter((server) => server.state === state).length
  return {
    questions,
    reviews,
    runs,
    servers: { total: servers.length, ready: count('ready'), failed: count('failed') },
    storage: {
      isWritable,
      lastCommitAt: lastCommitAt === null ? null : new Date(lastCommitAt).toISOString(),
      ...(!isWritable && lastFailure && { failure: lastFailure.message }),
      ...(journal && { journal: { records: journal.records, since: new Date(journal.since).toISOString() } }),
    },
    ledger: { head, ...(verified && { verified }) },
    ...(toolpact.proof && { seal: { ...seal, isFailing: (toolpact.proof.status()?.fault ?? null) !== null } }),
  }
}

interface Counts {
  readonly questions: number
  readonly reviews: number
  readonly runs: number
  /** Position of the ledger's last entry. */
  readonly head: number
  readonly seal: { readonly size: number; readonly at: string | null }
}

/** The navigation shows no larger number. */
const maxRuns = 100
const notSealed = { size: 0, at: null }
const counts = new WeakMap<Toolpact, Counts>()

async function readCounts(toolpact: Toolpact): Promise<Counts> {
  try {
    const [questions, { seq: head }, reviews, checkpoint, stuck] = await Promise.all([
      toolpact.approvals.questions(Date.now()),
      toolpact.ledger.head(),
      countReviews(toolpact),
      toolpact.proof?.checkpoint(),
      toolpact.runs?.list({ state: 'needs_person', limit: maxRuns }),
    ])
    const seal = checkpoint ? { size: checkpoint.size, at: new Date(checkpoint.at).toISOString() } : notSealed
    const pending = questions.filter(({ state }) => state === 'pending')
    const runs = new Set(toStepQuestions(questions).map(({ run }) => run))
    for (const { id } of stuck ?? []) runs.add(id)
    counts.set(toolpact, {
      questions: pending.length,
      reviews: sum([...reviews.values()]),
      runs: runs.size,
      head,
      seal,
    })
  } catch {
    // `storage` of the overview reports the failure.
  }
  return counts.get(toolpact) ?? { questions: 0, reviews: 0, runs: 0, head: 0, seal: notSealed }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

/** A check makes a commit, so its result is used for a while. */
const reuseMs = 10_000
/** A storage that fails may work again at any moment. */
const reuseFailureMs = 1000
const checks = new WeakMap<Toolpact, { readonly until: number; readonly health: StorageHealth }>()

async function checkStorage(toolpact: Toolpact): Promise<StorageHealth> {
  const known = checks.get(toolpact)
  if (known && performance.now() < known.until) return known.health
  const health = await toolpact.health().catch(() => ({ isWritable: false, lastCommitAt: null, lastFailure: null }))
  checks.set(toolpact, { until: performance.now() + (health.isWritable ? reuseMs : reuseFailureMs), health })
  return health
}

/** After a call that could not be recorded. */
export function forgetStorageCheck(toolpact: Toolpact): void {
  checks.delete(toolpact)
}
