import { useState } from 'preact/hooks'
import type { ConnectionList } from '../../api/connections.ts'
import type { ActionResponse } from '../../api/rules.ts'
import { post, toPath, useRequest } from '../api.ts'
import { Fact } from '../parts/fact.tsx'
import { LongText } from '../parts/long-text.tsx'
import { notify, notifyError } from '../parts/notice.tsx'
import { RelativeTime } from '../parts/time.tsx'
import { toAddress } from '../router.ts'
import { serverChanges } from '../stream/stream.ts'

/** The login of the person at a server that requires one. */
export function OwnConnection({ server }: { readonly server: string }) {
  const { data, reload } = useRequest<ConnectionList>('connections', [serverChanges.value])
  const [isBusy, setBusy] = useState(false)
  const row = data?.connections.find((one) => one.server === server)
  if (!row) return null
  const disconnect = async () => {
    setBusy(true)
    try {
      notify((await post<ActionResponse>(toPath(['connections', server, 'remove']))).message)
      reload()
    } catch (cause) {
      notifyError(cause)
    }
    setBusy(false)
  }
  return (
    <section class="block">
      <h3>Your connection</h3>
      {row.state === 'missing' ? (
        <p>This server requires a login. You are not connected.</p>
      ) : (
        <dl class="fields">
          <Fact name="State">
            {row.state === 'connected' ? (
              <span class="badge ok">✓ connected</span>
            ) : (
              <span class="badge no">✕ ended</span>
            )}
          </Fact>
          <Fact name="Logged in at">
            <LongText text={row.issuer ?? ''} />
          </Fact>
          <Fact name="Connected">{row.connectedAt !== null && <RelativeTime at={row.connectedAt} />}</Fact>
          <Fact name="For calls of">
            <LongText text={data?.owner ?? ''} />
          </Fact>
        </dl>
      )}
      {row.fault !== undefined && (
        <p class="note no" role="alert">
          <b aria-hidden="true">✕</b> <LongText text={row.fault} />
        </p>
      )}
      <div class="actions">
        <a class="button" href={toAddress('connect', server)}>
          {row.state === 'missing' ? 'Connect' : 'Connect again'}
        </a>
        {row.state !== 'missing' && (
          <button type="button" disabled={isBusy} onClick={disconnect}>
            Disconnect
          </button>
        )}
      </div>
    </section>
  )
}
