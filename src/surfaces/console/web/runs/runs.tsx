import { useSignal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import type { RunPage, RunRow } from '../../api/runs.ts'
import { get, toPath, useRequest } from '../api.ts'
import { adoptStyle } from '../parts/adopt-style.ts'
import { Empty } from '../parts/empty.tsx'
import { ErrorNote } from '../parts/error-note.tsx'
import { notifyError } from '../parts/notice.tsx'
import { Panes } from '../parts/panes.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { RelativeTime } from '../parts/time.tsx'
import { changeQuery, navigate, route, toAddress } from '../router.ts'
import { useKeys } from '../shell/keys.ts'
import { questionChanges, runChanges } from '../stream/stream.ts'
import { mergeRuns } from './merge-runs.ts'
import { RunView } from './run-view.tsx'
import css from './runs.css'
import { RunMark, runStates, toRunText } from './states.tsx'

adoptStyle(css)

/** Runs of workflows, newest first, and beside them the selected one. */
export default function RunsPage() {
  const { item, query } = route.value
  const { state, workflow, caller } = query
  const filters = { state, workflow, caller }
  return (
    <Panes
      list={<List key={JSON.stringify(filters)} filters={filters} />}
      detail={item === null ? null : <RunView key={item} id={item} />}
      hint={<p class="dim">Choose a run to see its steps.</p>}
      back={{ href: toAddress('runs', null, filters), text: 'All runs' }}
    />
  )
}

type Filter = Readonly<Record<'state' | 'workflow' | 'caller', string | undefined>>

function List({ filters }: { readonly filters: Filter }) {
  const { item, query } = route.value
  const page = useRequest<RunPage>(toPath(['runs'], filters), [runChanges.value + questionChanges.value])
  const [older, setOlder] = useState<RunPage>()
  const isScrolled = useSignal(false)
  /** When the newest run in the list was started as the person began to read; null while they watch. */
  const heldAt = useSignal<string | null>(null)
  const [cursor, setCursor] = useState(-1)
  const runs = page.data ? mergeRuns(page.data, older) : []
  const next = older ? older.next : page.data?.next
  const shown = runs.filter(({ createdAt }) => heldAt.value === null || createdAt <= heldAt.value)
  const isReading = page.data !== undefined && (isScrolled.value || item !== null)
  useEffect(() => {
    heldAt.value = isReading ? (runs[0]?.createdAt ?? null) : null
  }, [isReading])

  async function showMore(): Promise<void> {
    try {
      const { runs: more, next: last } = await get<RunPage>(toPath(['runs'], { ...filters, after: next! }))
      setOlder({ runs: [...runs, ...more], next: last })
    } catch (error) {
      notifyError(error)
    }
  }
  const open = (index: number) => {
    const run = shown[index]
    if (run) navigate(toAddress('runs', run.id, filters), { replace: item !== null })
  }
  const move = (by: number) => {
    const at = item === null ? cursor : shown.findIndex(({ id }) => id === item)
    const to = Math.max(0, Math.min(shown.length - 1, at + by))
    setCursor(to)
    if (item !== null) open(to)
  }
  useKeys([
    { key: 'j', about: 'next run', repeats: true, run: () => move(1) },
    { key: 'k', about: 'previous run', repeats: true, run: () => move(-1) },
    { key: 'Enter', about: 'open the run', run: () => open(cursor) },
  ])
  return (
    <>
      <Filters runs={runs} />
      {runs.length > shown.length && (
        <button type="button" class="new-rows" onClick={() => (heldAt.value = runs[0]!.createdAt)}>
          {runs.length - shown.length} new
        </button>
      )}
      {page.error && <ErrorNote error={page.error} retry={page.reload} />}
      {!page.data && !page.error && <Skeleton />}
      {page.data && runs.length === 0 && <NoRuns isFiltered={Boolean(query.state || query.workflow || query.caller)} />}
      <ul
        class="scroll"
        aria-label="Runs, newest first"
        onScroll={(event) => (isScrolled.value = event.currentTarget.scrollTop > 0)}
      >
        {shown.map((run, index) => (
          <li key={run.id}>
            <a
              class={index === cursor && item === null ? 'item-row at-cursor' : 'item-row'}
              href={toAddress('runs', run.id, filters)}
              aria-current={run.id === item ? 'true' : undefined}
            >
              <Row run={run} />
            </a>
          </li>
        ))}
        {typeof next === 'string' && (
          <li class="pane-bar">
            <button type="button" onClick={() => void showMore()}>
              Show older runs
            </button>
          </li>
        )}
      </ul>
    </>
  )
}

function Row({ run }: { readonly run: RunRow }) {
  return (
    <>
      <span class="one-line">
        <b class="clip">
          <bdi>{run.workflow}</bdi>
        </b>
        <RunMark state={run.state} />
      </span>
      <span class="one-line dim">
        <span class="clip">
          <bdi>{run.caller}</bdi>
        </span>
        <span class="number">
          {run.done} of {run.total} steps
        </span>
        <RelativeTime at={run.createdAt} />
      </span>
    </>
  )
}

function Filters({ runs }: { readonly runs: readonly RunRow[] }) {
  const { query } = route.value
  return (
    <search class="pane-bar run-filters">
      <select
        aria-label="State"
        value={query.state ?? ''}
        onChange={(event) => changeQuery({ state: event.currentTarget.value })}
      >
        <option value="">any state</option>
        {runStates.map((state) => (
          <option key={state} value={state}>
            {toRunText(state)}
          </option>
        ))}
      </select>
      {(['workflow', 'caller'] as const).map((name) => (
        <span key={name}>
          <input
            type="text"
            aria-label={name}
            placeholder={`any ${name}`}
            list={`run-${name}s`}
            maxLength={200}
            value={query[name] ?? ''}
            onChange={(event) => changeQuery({ [name]: event.currentTarget.value.trim() })}
          />
          <datalist id={`run-${name}s`}>
            {[...new Set(runs.map((run) => run[name]))].map((value) => (
              <option key={value} value={value} />
            ))}
          </datalist>
        </span>
      ))}
      {(query.state || query.workflow || query.caller) && (
        <button type="button" class="small" onClick={() => changeQuery({ state: '', workflow: '', caller: '' })}>
          Clear filters
        </button>
      )}
    </search>
  )
}

function NoRuns({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No run matches">Clear a filter, or choose another state.</Empty>
  return (
    <Empty title="No runs yet" command="toolpact new workflow">
      A workflow calls several tools, one after another, as a document says. Each run of one appears here. Make a
      workflow:
    </Empty>
  )
}
