import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { CallPage } from '../../api/calls.ts'
import { toPath, useRequest } from '../api.ts'
import { Filters, matchesFilters } from '../calls/filters.tsx'
import { CallRow, toRowHeight } from '../parts/call-row.tsx'
import { Empty } from '../parts/empty.tsx'
import { ErrorNote } from '../parts/error-note.tsx'
import { plural } from '../parts/format.ts'
import { Skeleton } from '../parts/skeleton.tsx'
import { VirtualList } from '../parts/virtual-list.tsx'
import { navigate, route, toAddress } from '../router.ts'
import { useKeys } from '../shell/keys.ts'
import { addCalls, liveCalls, overview, resets } from '../stream/stream.ts'
import { holdBack } from './hold-back.ts'

/** Calls as they happen. While a person reads further down, new rows wait; those in view still change. */
export default function Now() {
  const { data, error, reload } = useRequest<CallPage>(toPath(['calls'], { limit: 50 }), [resets.value])
  useEffect(() => {
    if (data) addCalls(data.calls)
  }, [data])
  const { query } = route.value
  // Calls that began to wait before this page was opened are not reported to it.
  const questions = overview.value?.questions ?? 0
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
    { key: 'Enter', about: 'open the call', run: () => cursor.value && navigate(toAddress('calls', cursor.value)) },
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
      {questions > 0 && (
        <p class="note ask">
          {plural(questions, 'question')} waiting. <a href={toAddress('inbox')}>Answer in the inbox</a>.
        </p>
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
          return (
            <CallRow call={call} href={toAddress('calls', call.callId)} isSelected={call.callId === cursor.value} />
          )
        }}
      />
    </section>
  )
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
