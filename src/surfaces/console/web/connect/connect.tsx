import { useState } from 'preact/hooks'
import type { ConnectOffer, ConnectRequest, ConnectResponse } from '../../api/connections.ts'
import { type ApiError, post, session, toApiError, toPath, useRequest } from '../api.ts'
import { Empty } from '../parts/empty.tsx'
import { ErrorNote } from '../parts/error-note.tsx'
import { Fact } from '../parts/fact.tsx'
import { LongText } from '../parts/long-text.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { route } from '../router.ts'
import { keepLogin } from './pending-login.ts'

/** Says what logging in to a server would do, and begins it. */
export default function ConnectPage() {
  const { item, query } = route.value
  if (item === null) return <Empty title="Which server?">The address names no server to connect to.</Empty>
  const asked: ConnectRequest = {
    ...(query.for !== undefined && { for: query.for }),
    ...(query.scope !== undefined && { scope: query.scope }),
  }
  return <Connect key={item} server={item} asked={asked} />
}

function Connect({ server, asked }: { readonly server: string; readonly asked: ConnectRequest }) {
  const { data: offer, error, reload } = useRequest<ConnectOffer>(toPath(['connections', server], { ...asked }))
  const [failure, setFailure] = useState<ApiError>()
  const [isBusy, setBusy] = useState(false)
  const begin = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      const { url, pending } = await post<ConnectResponse>(toPath(['connections', server, 'begin']), asked)
      keepLogin(url, pending)
      location.assign(url)
    } catch (cause) {
      setFailure(toApiError(cause))
      setBusy(false)
    }
  }
  return (
    <article class="page prose">
      <h2>
        Connect to <LongText text={server} max={120} />
      </h2>
      {offer === undefined ? (
        error ? (
          <ErrorNote error={error} retry={reload} />
        ) : (
          <Skeleton />
        )
      ) : (
        <>
          <Offer offer={offer} />
          {failure && <ErrorNote error={failure} />}
          <div class="actions">
            <button type="button" class="primary" disabled={isBusy} onClick={begin}>
              Log in at {new URL(offer.issuer).host}
            </button>
            {isBusy && (
              <span class="dim" role="status">
                Opening the page of the issuer…
              </span>
            )}
          </div>
        </>
      )}
    </article>
  )
}

function Offer({ offer }: { readonly offer: ConnectOffer }) {
  const { missing } = offer
  return (
    <>
      <p>
        {missing.length > 0
          ? 'A call needs more rights at this server than were granted.'
          : offer.state === 'missing'
            ? 'This server requires a login.'
            : offer.state === 'ended'
              ? 'The connection to this server has ended.'
              : 'You are connected already. Connecting again replaces the connection.'}{' '}
        You log in on the page of the issuer. Toolpact stores the tokens that it issues, encrypted, and never sees your
        password.
      </p>
      {!offer.isOwn && (
        <p class="note ask">
          <b aria-hidden="true">!</b> Calls of{' '}
          <b>
            <LongText text={offer.owner} max={120} />
          </b>{' '}
          will use the account that you log in with.
        </p>
      )}
      <dl class="fields">
        <Fact name="Server">
          <LongText text={offer.server} />
        </Fact>
        <Fact name="Log in at">
          <LongText text={offer.issuer} />
        </Fact>
        <Fact name="Asks for">
          {offer.scopes.length === 0 ? (
            'what the issuer decides'
          ) : (
            <ul>
              {offer.scopes.map((scope) => (
                <li key={scope}>
                  <code>
                    <LongText text={scope} max={200} />
                  </code>
                  {missing.includes(scope) && <span class="badge ask">missing</span>}
                </li>
              ))}
            </ul>
          )}
        </Fact>
        <Fact name="For calls of">
          <LongText text={offer.owner} />
        </Fact>
        <Fact name="Signed in as">
          <LongText text={session.value?.person ?? ''} />
        </Fact>
      </dl>
    </>
  )
}
