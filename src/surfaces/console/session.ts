import type { Toolpact } from '../../app/app.ts'
import type { StorageHealth } from '../../runtime/storage/storage.ts'
import { localCaller } from '../http/credentials.ts'
import type { Overview, Right, Session } from './api/api.ts'
import type { ConsoleParts, Endpoint } from './endpoint.ts'
import { hasRight } from './person.ts'
import { countReviews } from './reviews.ts'

export const sessionEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: 'session',
    right: 'view',
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
    // Whoever has a token can call tools. The page masks it.
    handle: async ({ person }, { toClients, tokenOf }) => ({
      clients: toClients(),
      token: (hasRight(person, 'manage') ? await tokenOf(localCaller.name) : undefined) ?? null,
    }),
  },
]

export async function toOverview({ toolpact, verified }: ConsoleParts): Promise<Overview> {
  const { approvals, ledger, upstreams } = toolpact
  const [questions, { isWritable, lastCommitAt, lastFailure }, head, reviews] = await Promise.all([
    approvals.questions(Date.now()),
    checkStorage(toolpact),
    ledger.head(),
    countReviews(toolpact),
  ])
  const servers = upstreams.look()
  const count = (state: string) => servers.filter((server) => server.state === state).length
  return {
    questions: questions.filter(({ state }) => state === 'pending').length,
    reviews: [...reviews.values()].reduce((sum, count) => sum + count, 0),
    servers: { total: servers.length, ready: count('ready'), failed: count('failed') },
    storage: {
      isWritable,
      lastCommitAt: lastCommitAt === null ? null : new Date(lastCommitAt).toISOString(),
      ...(!isWritable && lastFailure && { failure: lastFailure.message }),
    },
    ledger: { head: head.seq, ...(verified && { verified }) },
  }
}

/** A check makes a commit, so its result is used for a while. */
const reuseMs = 10_000
const checks = new WeakMap<Toolpact, { readonly at: number; readonly health: Promise<StorageHealth> }>()

function checkStorage(toolpact: Toolpact): Promise<StorageHealth> {
  const known = checks.get(toolpact)
  if (known && performance.now() - known.at < reuseMs) return known.health
  const health = toolpact.health().catch(() => ({ isWritable: false, lastCommitAt: null, lastFailure: null }))
  checks.set(toolpact, { at: performance.now(), health })
  return health
}
