import type { CallRow } from '../../api/calls.ts'
import { changeQuery, route } from '../router.ts'

const states = ['succeeded', 'failed', 'refused', 'interrupted', 'running']
const ranges = [
  ['1h', 'last hour'],
  ['24h', 'last 24 hours'],
  ['7d', 'last 7 days'],
] as const

interface Props {
  /** Calls whose tools, callers and codes are suggested. */
  readonly calls: readonly CallRow[]
  readonly hasRange?: boolean
}

/** Filters by tool, caller, outcome and time. They are part of the address. */
export function Filters({ calls, hasRange = false }: Props) {
  const { query } = route.value
  const isFiltered = ['tool', 'caller', 'outcome', 'range', 'text'].some((name) => query[name])
  const codes = [...new Set(calls.flatMap((call) => call.code ?? []))].sort()
  return (
    <search class="filters">
      <Field name="tool" values={calls.map((call) => call.tool)} />
      <Field name="caller" values={calls.flatMap((call) => call.caller ?? [])} />
      <label>
        <span>Outcome</span>
        <select value={query.outcome ?? ''} onChange={(event) => changeQuery({ outcome: event.currentTarget.value })}>
          <option value="">any outcome</option>
          {[...new Set([...states, ...codes, ...(query.outcome ? [query.outcome] : [])])].map((outcome) => (
            <option key={outcome} value={outcome}>
              {outcome.replaceAll('_', ' ')}
            </option>
          ))}
        </select>
      </label>
      {hasRange && (
        <label>
          <span>Time</span>
          <select value={query.range ?? ''} onChange={(event) => changeQuery({ range: event.currentTarget.value })}>
            <option value="">any time</option>
            {ranges.map(([range, title]) => (
              <option key={range} value={range}>
                {title}
              </option>
            ))}
          </select>
        </label>
      )}
      {isFiltered && (
        <button
          type="button"
          class="small"
          onClick={() => changeQuery({ tool: '', caller: '', outcome: '', range: '', text: '' })}
        >
          Clear filters
        </button>
      )}
    </search>
  )
}

const maxSuggestions = 50

function Field({ name, values }: { readonly name: 'tool' | 'caller'; readonly values: readonly string[] }) {
  const id = `${name}-values`
  return (
    <label>
      <span>{name === 'tool' ? 'Tool' : 'Caller'}</span>
      <input
        type="text"
        list={id}
        placeholder={`any ${name}`}
        maxLength={200}
        value={route.value.query[name] ?? ''}
        onChange={(event) => changeQuery({ [name]: event.currentTarget.value.trim() })}
      />
      <datalist id={id}>
        {[...new Set(values)]
          .filter((value) => value.length <= 200)
          .slice(0, maxSuggestions)
          .map((value) => (
            <option key={value} value={value} />
          ))}
      </datalist>
    </label>
  )
}

/** The same filters on calls that the page already has. */
export function matchesFilters(call: CallRow, query: Readonly<Record<string, string | undefined>>): boolean {
  return (
    (!query.tool || call.tool === query.tool) &&
    (!query.caller || call.caller === query.caller) &&
    (!query.outcome || call.state === query.outcome || call.code === query.outcome)
  )
}
