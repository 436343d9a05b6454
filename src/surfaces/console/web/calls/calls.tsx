import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { CallRow as Call } from '../../api/calls.ts'
import { CallRow, toRowHeight } from '../parts/call-row.tsx'
import { Empty } from '../parts/empty.tsx'
import { ErrorNote } from '../parts/error-note.tsx'
import { formatCount, plural } from '../parts/format.ts'
import { Skeleton } from '../parts/skeleton.tsx'
import { VirtualList } from '../parts/virtual-list.tsx'
import { navigate, route, toAddress } from '../router.ts'
import { useKeys } from '../shell/keys.ts'
import { liveCalls, resets } from '../stream/stream.ts'
import { Filters, matchesFilters } from './filters.tsx'
import { Story } from './story.tsx'
import { type CallPages, useCallPages } from './use-call-pages.ts'

const maxNews = 500
const rangeMs: Readonly<Record<string, number>> = { '1h': 3_600_000, '24h': 86_400_000, '7d': 604_800_000 }

/** The ledger as a list of calls, newest first, and beside it the story of the selected one. */
export default function Calls() {
  const { item, query } = route.value
  const again = useSignal(0)
  const isScrolled = useSignal(false)
  /** Newest call in the list when the person began to read; null while they watch. */
  const heldAt = useSignal<number | null>(null)
  const cursor = useSignal(-1)
  const { tool, caller, outcome, text } = query
  // Fixed when chosen: a moving start would make every page another search.
  const since = useMemo(() => {
    const ms = rangeMs[query.range ?? '']
    return ms === undefined ? undefined : new Date(Date.now() - ms).toISOString()
  }, [query.range, again.value])
  const pages = useCallPages({ tool, caller, outcome, text, since }, again.value + resets.value)
  const { calls } = pages
  const top = calls[0]?.seq ?? 0
  const isListed = pages.before !== undefined
  // Text is searched on the server alone, in inputs that a row has only a part of.
  const news = isListed && !text ? liveCalls.value.filter((call) => call.seq > top && matchesFilters(call, query)) : []
  const added = news.filter((call) => call.seq <= (heldAt.value ?? Number.POSITIVE_INFINITY))
  const shown = added.length === 0 ? calls : [...added, ...calls]
  const waiting = news.length - added.length
  const isReading = isListed && (isScrolled.value || item !== null)
  useEffect(() => {
    heldAt.value = isReading ? (added[0]?.seq ?? top) : null
  }, [isReading])
  useEffect(() => {
    // Only so many new calls are kept: before there is a gap, the list starts anew.
    if (!isReading && news.length > maxNews) again.value++
  }, [isReading, news.length])
  const showNews = () => {
    heldAt.value = null
    again.value++
  }

  const open = (index: number) => {
    const call = shown[index]
    if (call) navigate(toAddress('calls', call.callId, query), { replace: item !== null })
  }
  const move = (step: number) => {
    const at = item === null ? cursor.value : shown.findIndex((call) => call.callId === item)
    cursor.value = Math.min(Math.max(at + step, 0), shown.length - 1)
    if (item !== null) open(cursor.value)
  }
  useKeys([
    { key: 'j', about: 'next call', run: () => move(1), repeats: true },
    { key: 'k', about: 'previous call', run: () => move(-1), repeats: true },
    { key: 'Enter', about: 'open the call', run: () => open(cursor.value) },
  ])

  const hasFilters = Boolean(tool || caller || outcome || text || since)
  return (
    <div class={`calls ${item === null ? '' : 'has-item'}`}>
      <section class="call-list" aria-label="Calls">
        <Filters calls={calls.slice(0, 500)} hasRange />
        {waiting > 0 && (
          <button type="button" class="new-rows" onClick={showNews}>
            {waiting > maxNews ? `${maxNews}+` : waiting} new
          </button>
        )}
        {pages.error && <ErrorNote error={pages.error} retry={pages.more} />}
        {shown.length === 0 && !isListed && !pages.error && <Skeleton />}
        {shown.length === 0 && isListed && pages.before === null && <NoCalls hasFilters={hasFilters} />}
        <VirtualList
          label="Calls, newest first"
          count={shown.length}
          rowHeight={toRowHeight}
          keyOf={(index) => shown[index]!.callId}
          cursor={cursor.value}
          onEnd={pages.searched === undefined ? pages.more : undefined}
          onScroll={(scrollTop) => (isScrolled.value = scrollTop > 0)}
          row={(index) => {
            const call = latest(shown[index]!)
            const isSelected = call.callId === item || (item === null && index === cursor.value)
            return <CallRow call={call} href={toAddress('calls', call.callId, query)} isSelected={isSelected} />
          }}
          footer={isListed && <Footer pages={pages} more={pages.more} />}
        />
      </section>
      {item !== null && <Story key={item} callId={item} back={toAddress('calls', null, query)} />}
    </div>
  )
}

/** A call that was running when its page was loaded may have ended since. */
function latest(call: Call): Call {
  if (call.state !== 'running') return call
  return liveCalls.value.find((one) => one.callId === call.callId && one.state !== 'running') ?? call
}

function Footer({ pages, more }: { readonly pages: CallPages; readonly more: () => void }) {
  if (pages.isLoading) return <p class="call-footer dim">Loading…</p>
  if (pages.searched !== undefined && pages.before !== null) {
    return (
      <p class="call-footer">
        Searched {plural(pages.searched, 'entry', 'entries')}, found {formatCount(pages.calls.length)}.{' '}
        <button type="button" onClick={more}>
          Continue
        </button>
      </p>
    )
  }
  if (pages.before !== null || pages.calls.length === 0) return null
  return <p class="call-footer dim">{formatCount(pages.calls.length)} in all: this is the beginning of the ledger.</p>
}

function NoCalls({ hasFilters }: { readonly hasFilters: boolean }) {
  if (hasFilters) return <Empty title="No call matches">Clear a filter, or search for other words.</Empty>
  return (
    <Empty title="No calls yet" command="toolpact call workspace.list_dir path=.">
      Every call is recorded here, with all that was checked. Connect a client with <code>toolpact connect</code>, or
      make a call:
    </Empty>
  )
}
