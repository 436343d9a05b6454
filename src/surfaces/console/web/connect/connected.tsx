import { useEffect, useState } from 'preact/hooks'
import type { ConnectedResponse } from '../../api/connections.ts'
import { ApiError, post, toApiError } from '../api.ts'
import { ErrorNote } from '../parts/error-note.tsx'
import { LongText } from '../parts/long-text.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { navigate, route, toAddress } from '../router.ts'
import { takeLogin } from './pending-login.ts'

/** Where the browser returns to from the issuer: finishes the login with what that answered. */
export default function ConnectedPage() {
  const [result, setResult] = useState<ConnectedResponse | ApiError>()
  useEffect(() => {
    const answer = location.search.slice(1)
    const { state } = route.value.query
    if (state === undefined) return setResult(notBegun)
    // The code must not stay in the history.
    navigate(toAddress('connected'), { replace: true })
    const pending = takeLogin(state)
    if (pending === null) return setResult(notBegun)
    post<ConnectedResponse>('connected', { pending, answer }).then(setResult, (cause) => setResult(toApiError(cause)))
  }, [])
  if (result === undefined) return <Skeleton />
  return (
    <article class="page prose">
      {result instanceof ApiError ? (
        <>
          <h2>Not connected</h2>
          <ErrorNote error={result} />
        </>
      ) : (
        <>
          <h2>
            Connected to <LongText text={result.server} max={120} />
          </h2>
          <p class="note ok" role="status">
            <b aria-hidden="true">✓</b> Calls of <LongText text={result.owner} max={120} /> can use this server now. A
            call that waited continues by itself; one that has ended can be repeated. You can close this page.
          </p>
        </>
      )}
      <p>
        <a href={toAddress('servers', result instanceof ApiError ? null : result.server)}>Show the servers</a>
      </p>
    </article>
  )
}

const notBegun = new ApiError(0, {
  code: 'not_begun',
  detail: 'This browser did not begin a login, or has finished it already.',
  suggestion: 'Open the link to connect again.',
})
