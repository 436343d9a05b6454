import { useEffect, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'

interface Series {
  readonly name: string
  readonly values: readonly (number | null)[]
  /** A variable of the style sheet. */
  readonly color: string
}

interface Props {
  readonly title: string
  readonly note?: string
  readonly times: readonly number[]
  readonly series: readonly Series[]
  readonly format: (value: number) => string
}

// Series differ by dashes too, for people who see no difference between the colours.
const dashes: readonly number[][] = [[], [8, 4], [2, 3]]
const height = 200

/** Lines over time, and the same numbers as a table. */
export function Plot({ title, note, times, series, format }: Props) {
  const [isTable, setTable] = useState(false)
  const isEmpty = series.every((one) => one.values.every((value) => !value))
  return (
    <section class="plot" aria-label={title}>
      <div class="one-line">
        <h2 class="clip" title={title}>
          <bdi>{title}</bdi>
        </h2>
        {note !== undefined && <span class="dim">{note}</span>}
        {!isEmpty && (
          <button
            type="button"
            class="small"
            aria-pressed={isTable}
            aria-label={`${title} as a table`}
            onClick={() => setTable(!isTable)}
          >
            table
          </button>
        )}
      </div>
      {isEmpty ? (
        <p class="dim">Nothing happened in this time.</p>
      ) : isTable ? (
        <Table times={times} series={series} format={format} />
      ) : (
        <Chart title={title} times={times} series={series} format={format} />
      )}
    </section>
  )
}

function Chart({ title, times, series, format }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState<number | null>(null)
  const plot = useRef<uPlot | null>(null)
  const data = useRef<uPlot.AlignedData>([[]])
  data.current = [times, ...series.map((one) => one.values)] as uPlot.AlignedData
  useEffect(() => {
    const element = box.current!
    const make = () => {
      plot.current?.destroy()
      plot.current = new uPlot(toOptions(element, { series, format, onPoint: setAt }), data.current, element)
    }
    make()
    const observer = new ResizeObserver(() => plot.current!.setSize({ width: element.clientWidth, height }))
    observer.observe(element)
    const dark = matchMedia('(prefers-color-scheme: dark)')
    dark.addEventListener('change', make)
    return () => {
      dark.removeEventListener('change', make)
      observer.disconnect()
      plot.current!.destroy()
      plot.current = null
    }
  }, [series.map((one) => one.name).join()])
  // New numbers keep the pointer where it is.
  useEffect(() => plot.current?.setData(data.current), [times])
  return (
    <>
      <div ref={box} class="chart" role="img" aria-label={`${title}. ${summarize(series, format)}`} />
      <ul class="legend" aria-hidden="true">
        {series.map((one, index) => (
          <li key={one.name}>
            <svg width="28" height="8" aria-hidden="true">
              <line
                x1="0"
                y1="4"
                x2="28"
                y2="4"
                stroke={`var(${one.color})`}
                stroke-width="2"
                stroke-dasharray={dashes[index]!.join(' ')}
              />
            </svg>{' '}
            {one.name} {at !== null && <b>{toCell(one.values[at], format)}</b>}
          </li>
        ))}
        {at !== null && <li>{toTime(times[at]!)}</li>}
      </ul>
    </>
  )
}

interface ChartOptions extends Pick<Props, 'series' | 'format'> {
  /** The bucket under the pointer, or null. */
  readonly onPoint: (index: number | null) => void
}

function toOptions(element: HTMLElement, { series, format, onPoint }: ChartOptions): uPlot.Options {
  const style = getComputedStyle(element)
  const color = (name: string) => style.getPropertyValue(name).trim()
  const axis = {
    stroke: color('--dim'),
    grid: { stroke: color('--line'), width: 1 },
    ticks: { stroke: color('--line'), width: 1 },
  }
  return {
    width: element.clientWidth,
    height,
    legend: { show: false },
    hooks: { setCursor: [(plot) => onPoint(plot.cursor.idx ?? null)] },
    cursor: { drag: { x: false, y: false } },
    scales: { y: { range: (_, _min, max) => [0, Math.max(max * 1.1, 1e-9)] } },
    axes: [axis, { ...axis, size: 64, values: (_, ticks) => ticks.map(format) }],
    series: [
      {},
      ...series.map((one, index) => ({
        label: one.name,
        stroke: color(one.color),
        width: 2,
        dash: dashes[index]!,
        spanGaps: false,
        points: { show: true, size: 4 },
      })),
    ],
  }
}

function Table({ times, series, format }: Omit<Props, 'title'>) {
  // Buckets in which nothing happened would hide the others.
  const rows = times.flatMap((time, index) =>
    series.some((one) => (one.values[index] ?? 0) !== 0) ? [{ time, index }] : [],
  )
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <div class="table-box plot-table" tabIndex={0}>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">From</th>
            {series.map((one) => (
              <th key={one.name} scope="col" class="number">
                {one.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ time, index }) => (
            <tr key={time}>
              <th scope="row">{toTime(time)}</th>
              {series.map((one) => (
                <td key={one.name} class="number">
                  {toCell(one.values[index], format)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** In one sentence, for people who do not see the plot. */
function summarize(series: readonly Series[], format: (value: number) => string): string {
  return series
    .map((one) => {
      const values = one.values.filter((value) => value !== null)
      return values.length === 0
        ? `${one.name}: no values`
        : `${one.name}: up to ${format(Math.max(...values))}, last ${format(values.at(-1)!)}`
    })
    .join('; ')
}

function toTime(seconds: number): string {
  return new Date(seconds * 1000).toLocaleString(undefined, { dateStyle: 'short', timeStyle: 'short' })
}

function toCell(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? '–' : format(value)
}
