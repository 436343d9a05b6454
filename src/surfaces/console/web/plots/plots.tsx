import { useEffect, useRef, useState } from 'preact/hooks'
import { shorten } from '../../../../contract/text/shorten.ts'
import type { PlotData, PlotRange } from '../../api/plots.ts'
import { toPath, useRequest } from '../api.ts'
import { adoptStyle } from '../parts/adopt-style.ts'
import { Empty } from '../parts/empty.tsx'
import { ErrorNote } from '../parts/error-note.tsx'
import { formatCount, formatDuration, plural } from '../parts/format.ts'
import { Skeleton } from '../parts/skeleton.tsx'
import { changeQuery, route, toAddress } from '../router.ts'
import { entryChanges } from '../stream/stream.ts'
import { Plot } from './plot.tsx'
import css from './plots.css'
import { toRates } from './to-rates.ts'

adoptStyle(css)

const ranges: readonly { readonly name: PlotRange; readonly text: string }[] = [
  { name: '1h', text: 'Hour' },
  { name: '24h', text: 'Day' },
  { name: '7d', text: 'Week' },
  { name: '30d', text: '30 days' },
]

const toMs = (value: number) => (value === 0 ? '0' : formatDuration(value))
const toRate = (value: number) =>
  value >= 10 || Number.isInteger(value) ? formatCount(Math.round(value)) : value.toFixed(1)

/** The stream reports new calls up to twice a second; plots are drawn again at most this often. */
const everyMs = 2000

/** How calls and people did over time. Follows the stream. */
export default function PlotsPage() {
  const asked = route.value.query.range
  const range = ranges.some(({ name }) => name === asked) ? asked! : '24h'
  const { data, error, reload } = useRequest<PlotData>(toPath(['plots'], { range }), [usePaced(entryChanges.value)])
  return (
    <div class="page">
      <div class="actions block">
        {ranges.map(({ name, text }) => (
          <button key={name} type="button" aria-pressed={name === range} onClick={() => changeQuery({ range: name })}>
            {text}
          </button>
        ))}
      </div>
      {error && <ErrorNote error={error} retry={reload} />}
      {data === undefined ? !error && <Skeleton /> : <Plots data={data} />}
    </div>
  )
}

function Plots({ data }: { readonly data: PlotData }) {
  const { times, outcomes, approvals } = data
  const total = [...outcomes.succeeded, ...outcomes.failed, ...outcomes.refused].reduce((sum, count) => sum + count, 0)
  if (total === 0)
    return <Empty title="No calls in this time">Choose a longer range, or connect a client and call a tool.</Empty>
  const rate = (counts: readonly number[]) => toRates(counts, data.bucketMs)
  return (
    <div class="plots">
      <Plot
        title="Calls per minute"
        times={times}
        format={toRate}
        series={[
          { name: 'succeeded', values: rate(outcomes.succeeded), color: '--ok' },
          { name: 'failed', values: rate(outcomes.failed), color: '--no' },
          { name: 'refused', values: rate(outcomes.refused), color: '--ask' },
        ]}
      />
      <Plot
        title="Time until a person answered (median)"
        times={times}
        format={toMs}
        series={[{ name: 'wait', values: approvals.waitMs, color: '--ask' }]}
      />
      <Plot
        title="Questions per 100 calls"
        times={times}
        format={toRate}
        series={[{ name: 'questions', values: approvals.perHundred, color: '--ask' }]}
      />
      <Bars
        title="Refusals by reason"
        rows={data.refusals.map(({ code, count }) => ({
          name: code,
          count,
          href: toAddress('calls', null, { outcome: code }),
        }))}
        none="Nothing was refused."
      />
      <Bars
        title="Broken contracts by server"
        rows={data.violations.map(({ server, count }) => ({ name: server, count, href: toAddress('servers', server) }))}
        none="No server broke a contract."
      />
      {data.tools.map((tool) => (
        <Plot
          key={tool.tool}
          title={`Duration of ${shorten(tool.tool, 60)}`}
          note={plural(tool.calls, 'call')}
          times={times}
          format={toMs}
          series={[
            { name: 'p50', values: tool.p50, color: '--accent' },
            { name: 'p95', values: tool.p95, color: '--text' },
            { name: 'p99', values: tool.p99, color: '--dim' },
          ]}
        />
      ))}
    </div>
  )
}

/** A counter as it was at most a moment ago. */
function usePaced(count: number): number {
  const [shown, setShown] = useState(count)
  const last = useRef(count)
  last.current = count
  useEffect(() => {
    if (count === shown) return
    const timer = setTimeout(() => setShown(last.current), everyMs)
    return () => clearTimeout(timer)
  }, [shown, count !== shown])
  return shown
}

interface BarsProps {
  readonly title: string
  readonly rows: readonly { readonly name: string; readonly count: number; readonly href: string }[]
  readonly none: string
}

function Bars({ title, rows, none }: BarsProps) {
  const max = Math.max(1, ...rows.map((row) => row.count))
  return (
    <section class="plot">
      <h2>{title}</h2>
      {rows.length === 0 ? (
        <p class="dim">{none}</p>
      ) : (
        <table class="table bars">
          <tbody>
            {rows.map((row) => (
              <tr key={row.name}>
                <th scope="row">
                  <a href={row.href}>
                    <bdi title={shorten(row.name, 400)}>{shorten(row.name, 60)}</bdi>
                  </a>
                </th>
                <td class="number">{formatCount(row.count)}</td>
                <td>
                  <div class="bar" style={{ width: `${(100 * row.count) / max}%` }} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
