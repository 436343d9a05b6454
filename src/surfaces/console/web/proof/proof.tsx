import { plural } from '../parts/format.ts'
import { RelativeTime } from '../parts/time.tsx'
import { overview } from '../stream/stream.ts'
import { LedgerCheck } from './ledger-check.tsx'
import { ProofFileForm } from './proof-file-form.tsx'

/** How the ledger is sealed, and a place to verify a proof file of this or any other ledger. */
export default function ProofPage() {
  const seal = overview.value?.seal
  return (
    <div class="page">
      <section class="block">
        <h2>This ledger</h2>
        {seal === undefined && <p>The storage of this server does not seal its ledger.</p>}
        {seal?.isFailing && (
          <p class="note no">
            ✕ The newest entries are recorded, but could not be sealed. The server says why in its log. Run{' '}
            <code>toolpact verify</code>.
          </p>
        )}
        {seal && (
          <p>
            {seal.at === null ? (
              'Nothing is sealed yet.'
            ) : (
              <>
                The newest checkpoint covers {plural(seal.size, 'entry', 'entries')} and was signed{' '}
                <RelativeTime at={seal.at} />.
              </>
            )}
          </p>
        )}
        <LedgerCheck />
      </section>
      <ProofFileForm isSealing={seal !== undefined} />
    </div>
  )
}
