import { toCount } from '../../runtime/approval/text/rows.ts'
import type { Right } from './api/api.ts'
import type { EndSessionsRequest, SessionList, SessionRow } from './api/sessions.ts'
import { type ConsoleParts, type Endpoint, Refusal } from './endpoint.ts'
import { hasRight } from './person.ts'
import type { ListedSession, SignedIn } from './sign-in.ts'

export const sessionListEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: 'sessions',
    right: 'view',
    handle: async ({ person }, parts): Promise<SessionList> => ({ sessions: await listSessions(person, parts) }),
  },
  {
    method: 'POST',
    path: 'sessions/end',
    right: 'view',
    body: 'EndSessionsRequest',
    async handle({ person, body }, parts) {
      const { ids, others } = body as EndSessionsRequest
      const known = await listSessions(person, parts)
      const chosen = others ? known.filter(({ isOwn, isThis }) => isOwn && !isThis) : known.filter(({ id }) => ids?.includes(id)) // biome-ignore format: one line
      // Those of others do not exist for people who may not manage.
      if (!others && chosen.length === 0)
        throw new Refusal('not_found', 'There is no such session, or it has ended.', 'Load the page again.')
      const ended = await Promise.all(chosen.map(({ id }) => parts.signIn.revoke(id)))
      const count = ended.filter(Boolean).length
      return { message: count === 0 ? 'There was no other session.' : `Ended ${toCount(count, 'session')}.` }
    },
  },
]

async function listSessions(person: SignedIn, { signIn }: ConsoleParts): Promise<SessionRow[]> {
  const rows = (await signIn.list()).map((session) => toRow(session, person))
  return rows.filter(({ isOwn }) => isOwn || hasRight(person, 'manage')).reverse()
}

function toRow(
  { session: id, name, rights, issuer, subject, facts, expiresAt }: ListedSession,
  by: SignedIn,
): SessionRow {
  const toTime = (at: number | undefined) => (at === undefined ? null : new Date(at).toISOString())
  return {
    id,
    person: name,
    rights: rights as readonly Right[],
    issuer: issuer ?? null,
    browser: facts?.browser ?? 'An unknown browser',
    startedAt: toTime(facts?.startedAt),
    seenAt: toTime(facts?.seenAt),
    expiresAt: new Date(expiresAt).toISOString(),
    isThis: id === by.session,
    // Whoever signed in by a link is known by name alone.
    isOwn: by.issuer === issuer && (issuer === undefined ? by.name === name : by.subject === subject),
  }
}
