import { clock } from '../parts/clock.ts'
import { formatAge } from '../parts/format.ts'
import { connection, overview } from '../stream/stream.ts'

/** A short interruption is nothing that a reader should notice. */
const graceMs = 2000

/** Says when what is shown may be old, and when nothing can be recorded. */
export function ConnectionNote() {
  const { state, since } = connection.value
  const failure = overview.value?.storage.isWritable === false ? overview.value.storage : undefined
  const isBehind = state === 'lost' && clock.value - since > graceMs
  return (
    <div role="status">
      {isBehind && (
        <p class="note ask">
          <b>Not live.</b> The connection was lost {formatAge(clock.value - since)}; reconnecting. Questions and calls
          since then will appear by themselves.
        </p>
      )}
      {failure && (
        <p class="note no">
          <b>✕ The ledger cannot be written</b>, so no call that changes something runs.{' '}
          {failure.journal &&
            `Calls that only read continue: ${failure.journal.records} records are in a journal of this server, and are merged later. `}
          <bdi>{failure.failure}</bdi>
        </p>
      )}
    </div>
  )
}
