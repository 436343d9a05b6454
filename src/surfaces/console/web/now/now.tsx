import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { CallRow as Call, CallPage } from '../../api/calls.ts'
import { toPath, useRequest } from '../api.ts'
import { Filters, matchesFilters } from '../calls/filters.tsx'
import { CallRow, toRowHeight } from '../parts/call-row.tsx'
import { Empty } from '../parts/empty.tsx'
import { ErrorNote } from '../parts/error-note.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { VirtualList } from '../parts/virtual-list.tsx'
import { navigate, route, toAddress } from '../router.ts'
import { useKeys } from '../shell/keys.ts'
import { questions } from '../stream/questions.ts'
import { addCalls, liveCalls, resets } from '../stream/stream.ts'
import { holdBack } from './hold-back.ts'

/** Calls as they happen. While a person reads further down, new rows wait; those in view still change. */
export default function Now() {
  const { data, error, reload } = useRequest<CallPage>(toPath(['calls'], { limit: 50 }), [resets.value])
  useEffect(() => {
    if (data) addCalls(data.calls)
  }, [data])
  const { query } = route.value
  const cursor = useSignal<string | null>(null)
  /** The call on top when the person began to read; null while they watch. */
  const heldAt = useSignal<string | null>(null)
  const list = useRef<HTMLElement>(null)
  const matching = liveCalls.value.filter((call) => matchesFilters(call, query))
  const { rows, waiting } = holdBack(matching, heldAt.value)

  const at = rows.findIndex((call) => call.callId === cursor.value)
  const move = (step: number) => {
    const next = rows[Math.min(Math.max(at + step, 0), rows.length - 1)]
    if (next === undefined) return
    heldAt.value ??= rows[0]!.callId
    cursor.value = next.callId
  }
  useKeys([
    { key: 'j', about: 'next call', run: () => move(1), repeats: true },
    { key: 'k', about: 'previous call', run: () => move(-1), repeats: true },
    { key: 'Enter', about: 'open the call', run: () => at >= 0 && navigate(toLink(rows[at]!)) },
  ])
  function watch(): void {
    heldAt.value = null
    cursor.value = null
    list.current?.querySelector('.virtual')?.scrollTo(0, 0)
  }

  return (
    <section ref={list} class="call-list" aria-label="Calls as they happen">
      <Filters calls={liveCalls.value.slice(0, 500)} />
      {waiting > 0 && (
        <button type="button" class="new-rows" onClick={watch}>
          {waiting} new
        </button>
      )}
      {error && <ErrorNote error={error} retry={reload} />}
      {rows.length === 0 && !data && !error && <Skeleton />}
      {rows.length === 0 && data && <NoCalls isFiltered={liveCalls.value.length > 0} />}
      <VirtualList
        label="Calls as they happen, newest first"
        count={rows.length}
        rowHeight={toRowHeight}
        keyOf={(index) => rows[index]!.callId}
        cursor={at}
        onScroll={(top) => {
          if (top > 0) heldAt.value ??= rows[0]?.callId ?? null
          else if (cursor.value === null) heldAt.value = null
        }}
        row={(index) => {
          const call = rows[index]!
          return <CallRow call={call} href={toLink(call)} isSelected={call.callId === cursor.value} />
        }}
      />
    </section>
  )
}

/** A call that waits for a person is not in the ledger yet: its question is in the inbox. */
function toLink({ callId, checks }: Call): string {
  if (checks.approve !== 'begun') return toAddress('calls', callId)
  return toAddress('inbox', questions.value?.pending.some(({ id }) => id === callId) ? callId : null)
}

function NoCalls({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered)
    return <Empty title="No recent call matches">Clear a filter, or wait: matching calls appear by themselves.</Empty>
  return (
    <Empty title="No calls yet" command="toolpact connect">
      Calls appear here while they run, check by check. Connect a client:
    </Empty>
  )
}
