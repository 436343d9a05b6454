import { useState } from 'preact/hooks'
import type { SealCheck, VerifyResponse } from '../../api/calls.ts'
import { type ApiError, post, toApiError } from '../api.ts'
import { Digest } from '../parts/copy.tsx'
import { ErrorNote } from '../parts/error-note.tsx'
import { plural } from '../parts/format.ts'

/** Has the server verify the chain of its ledger, the tree and the checkpoints. */
export function LedgerCheck() {
  const [state, setState] = useState<VerifyResponse | ApiError | 'running'>()
  async function verify(): Promise<void> {
    setState('running')
    setState(await post<VerifyResponse>('ledger/verify').catch(toApiError))
  }
  return (
    <div class="verify">
      <button type="button" disabled={state === 'running'} onClick={() => void verify()}>
        {state === 'running' ? 'Verifying…' : 'Verify the ledger'}
      </button>
      <div role="status">
        {state instanceof Error && <ErrorNote error={state} />}
        {typeof state === 'object' && 'intact' in state && state.intact && (
          <>
            <p class="ok">
              ✓ Intact: {plural(state.entries, 'entry', 'entries')}, the last has the hash{' '}
              <Digest digest={state.head} label="head of the ledger" />
            </p>
            <p>{toSealText(state.seal)}</p>
            {state.seal?.limits.map((limit) => (
              <p key={limit} class="dim">
                {limit}
              </p>
            ))}
          </>
        )}
        {typeof state === 'object' && 'intact' in state && !state.intact && (
          <p class="no">
            ✕ <bdi>{state.reason}</bdi> Run toolpact verify on the machine that serves.
          </p>
        )}
      </div>
    </div>
  )
}

function toSealText(seal: SealCheck | null): string {
  if (!seal) return 'Only the chain was verified: the storage of this server does not seal its ledger.'
  const { size, checkpoints, places } = seal
  if (checkpoints === 0) return 'Nothing is sealed yet.'
  const elsewhere = places.compared > 0 ? ` Compared with ${plural(places.compared, 'place')} elsewhere.` : ''
  const failed = places.failed > 0 ? ` ${plural(places.failed, 'place')} elsewhere could not be asked.` : ''
  return `It matches ${plural(checkpoints, 'checkpoint')}; the newest covers ${plural(size, 'entry', 'entries')}.${elsewhere}${failed}`
}
