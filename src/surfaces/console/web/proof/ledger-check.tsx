import { useState } from 'preact/hooks'
import type { VerifyResponse } from '../../api/calls.ts'
import { type ApiError, post, toApiError } from '../api.ts'
import { Digest } from '../parts/copy.tsx'
import { ErrorNote } from '../parts/error-note.tsx'
import { plural } from '../parts/format.ts'

/** Has the server verify the chain of its ledger. */
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
          <p class="ok">
            ✓ Intact: {plural(state.entries, 'entry', 'entries')}, the last has the hash{' '}
            <Digest digest={state.head} label="head of the ledger" />
          </p>
        )}
        {typeof state === 'object' && 'intact' in state && !state.intact && (
          <p class="no">
            ✕ Broken at entry {state.brokenAtSeq}: <bdi>{state.reason}</bdi>
          </p>
        )}
      </div>
    </div>
  )
}
