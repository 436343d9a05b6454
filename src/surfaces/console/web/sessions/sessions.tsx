import { useState } from 'preact/hooks'
import type { ActionResponse } from '../../api/rules.ts'
import type { EndSessionsRequest, SessionList, SessionRow } from '../../api/sessions.ts'
import { mayManage, post, useRequest } from '../api.ts'
import { ErrorNote } from '../parts/error-note.tsx'
import { LongText } from '../parts/long-text.tsx'
import { notify, notifyError } from '../parts/notice.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { RelativeTime } from '../parts/time.tsx'

type End = (request: EndSessionsRequest) => Promise<void>

/** Where people are signed in. */
export default function SessionsPage() {
  const { data, error, reload } = useRequest<SessionList>('sessions')
  const end: End = async (request) => {
    try {
      const { message } = await post<ActionResponse>('sessions/end', request)
      notify(message)
    } catch (cause) {
      notifyError(cause)
    }
    reload()
  }
  if (data === undefined) return error ? <ErrorNote error={error} retry={reload} /> : <Skeleton />
  const others = data.sessions.filter(({ isOwn, isThis }) => isOwn && !isThis).length
  return (
    <div class="page">
      <p class="actions block">
        <button type="button" disabled={others === 0} onClick={() => void end({ others: true })}>
          End my other sessions
        </button>
        <span class="dim">
          {mayManage() ? 'All browsers that people are signed in with.' : 'All browsers that you are signed in with.'}
        </span>
      </p>
      {error && <ErrorNote error={error} retry={reload} />}
      <ul class="cards">
        {data.sessions.map((session) => (
          <Session key={session.id} session={session} end={end} />
        ))}
      </ul>
    </div>
  )
}

function Session({ session, end }: { readonly session: SessionRow; readonly end: End }) {
  const [isBusy, setBusy] = useState(false)
  const { person, rights, issuer, browser, startedAt, seenAt, expiresAt, isThis } = session
  const endThis = async () => {
    setBusy(true)
    await end({ ids: [session.id] })
    setBusy(false)
  }
  return (
    <li>
      <div class="rule-head">
        <b>
          <LongText text={person} max={80} />
        </b>
        <span>{browser}</span>
        {isThis && <span class="badge ok">this browser</span>}
      </div>
      <p class="dim">
        May {rights.join(', ')}. Signed in{' '}
        {issuer === null ? (
          'by a link'
        ) : (
          <>
            at <LongText text={issuer} max={80} />
          </>
        )}
        {startedAt !== null && (
          <>
            {' '}
            <RelativeTime at={startedAt} />
          </>
        )}
        {seenAt !== null && (
          <>
            , last seen <RelativeTime at={seenAt} />
          </>
        )}
        . Ends at <time dateTime={expiresAt}>{new Date(expiresAt).toLocaleString()}</time> if not used.
      </p>
      <p class="actions">
        <button type="button" disabled={isBusy} onClick={() => void endThis()}>
          {isThis ? 'Sign out' : 'End this session'}
        </button>
      </p>
    </li>
  )
}
