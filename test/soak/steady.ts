/**
 * `npm run soak -- --minutes 60 --rate 60`: two servers that get calls at a fixed rate, which few machines notice, and what
 * each of them takes as time passes.
 */
import { readdirSync, statSync } from 'node:fs'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { decideAim } from '../../bench/noise.ts'
import { printTable, quantile, toBytes, toTime } from '../../bench/print-table.ts'
import { memoryOf, watchProcessors } from '../../bench/processors.ts'
import { publish } from '../../bench/publish.ts'
import type { Table } from '../../bench/table.ts'
import { errands, findFault, pickErrand } from './errands.ts'
import { openHttp, openStdio, type Subject, type Surface } from './surfaces.ts'

interface Steady {
  readonly minutes: number
  /** Calls per second, on all surfaces together. */
  readonly rate: number
  readonly writes: boolean
  /** Load average before the start. */
  readonly before: number
}

const wellErrands = errands.filter(({ tool }) => /^(?:learning|good)\./.test(tool))

/** A run has twelve windows of five slices each; the table shows these windows. */
const shown = [1, 3, 6, 9, 12]
const [windows, slicesEach] = [12, 5]
/** As in the section `growth`, and for the memory of searches. */
const [flat, flatMemory] = [2, 1.25]

/** Returns the number of faults. */
export async function keepSteady(place: string, { minutes, rate, writes, before }: Steady): Promise<number> {
  const faults: string[] = []
  const subjects = [await openHttp(join(place, 'http'), ['good']), openStdio(join(place, 'stdio'), ['good'])]
  for (const subject of subjects) await warmUp(subject.surfaces[0]!)
  console.log(`${minutes} minutes, ${rate} calls per second`)
  const watched = subjects.map(watch)
  const load = makeLoad(subjects, { rate, counts: watched.map(({ count }) => count), faults })
  const ownPids = subjects.flatMap(({ pid, pids }) => [pid, ...pids()])
  const measured: Window[][] = subjects.map(() => [])
  const start = performance.now()
  for (let window = 1; window <= windows; window++) {
    const othersUsed = watchProcessors(ownPids)
    const begun = performance.now()
    for (let slice = 1; slice <= slicesEach; slice++) {
      const end = start + (((window - 1) * slicesEach + slice) * minutes * 60_000) / windows / slicesEach
      await sleep(end - performance.now())
      for (const { endSlice } of watched) endSlice()
    }
    const others = othersUsed().others / (performance.now() - begun)
    for (const [index, { endWindow }] of watched.entries()) {
      const found = await endWindow(shown.includes(window))
      if (found) measured[index]!.push({ ...found, others })
    }
    console.log(`  minute ${toMinute((window * minutes) / windows)} of ${minutes}, ${faults.length} faults`)
  }
  await load.stop()
  for (const subject of subjects) faults.push(...(await subject.close()).faults)
  for (const fault of new Set(faults)) console.log(`✗ ${fault}`)

  const tables = subjects.map(({ name }, index) => toTable(name, measured[index]!, minutes))
  tables[0]!.notes.push(decideAim({ what: 'lost, mixed or wrong answers and broken ledgers', most: 0, unit: '' }, [faults.length])) // biome-ignore format: one line
  for (const { title, heading, rows, notes } of tables) {
    printTable(title, heading, rows)
    for (const note of notes) console.log(`  ${note}`)
  }
  if (writes) publish('steady', { about: { compares: toAbout(minutes, rate) }, tables, before })
  return faults.length
}

function toAbout(minutes: number, rate: number): string {
  return `One server over HTTP (MCP and REST) and one over stdio for ${minutes} minutes, with ${rate} calls per second in all: of a built-in tool, and of an MCP server behind them, some of them invalid.`
}

async function warmUp(surface: Surface): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const request = { tool: 'good.echo', input: { text: 'first' }, nonce: `first-${tries}` }
    const { code } = await surface.call({ ...request, signal: AbortSignal.timeout(30_000) })
    if (code === undefined) return
    await sleep(100)
  }
}

interface Load {
  readonly rate: number
  /** Called with the time of each call, by subject. */
  readonly counts: readonly ((time: number) => void)[]
  readonly faults: string[]
}

/** Sends each call at its time, whether or not those before it have been answered. */
function makeLoad(subjects: readonly Subject[], { rate, counts, faults }: Load) {
  const surfaces = subjects.flatMap((subject, index) => subject.surfaces.map((surface) => ({ surface, count: counts[index]! }))) // biome-ignore format: one line
  const pending = new Set<Promise<void>>()
  let isStopped = false
  const sent = send()
  return {
    async stop() {
      isStopped = true
      await sent
      await Promise.all(pending)
    },
  }

  async function send(): Promise<void> {
    for (let [number, due] = [0, performance.now()]; !isStopped; number++) {
      const { surface, count } = surfaces[number % surfaces.length]!
      const call = callOnce(surface, `Nonce-${number}`).then(count)
      pending.add(call)
      void call.finally(() => pending.delete(call))
      // What was missed while others had the processor is not made up for in a burst.
      due = Math.max(due + 1000 / rate, performance.now() - 100)
      await sleep(Math.max(0, due - performance.now()))
    }
  }

  /** Resolves with its time in ms. */
  async function callOnce(surface: Surface, nonce: string): Promise<number> {
    const errand = pickErrand(Math.random(), wellErrands)
    const begun = performance.now()
    try {
      const answer = await surface.call({ tool: errand.tool, input: errand.input(nonce), nonce, signal: AbortSignal.timeout(60_000) }) // biome-ignore format: one line
      const fault = findFault(errand, nonce, answer)
      if (fault) faults.push(`${surface.name}, ${errand.tool}: ${fault}`)
    } catch (error) {
      faults.push(`${surface.name}, ${errand.tool}: no answer: ${error}`)
    }
    return performance.now() - begun
  }
}

interface Slice {
  readonly p50: number
  readonly p99: number
  /** Of the server for each call, in ms. */
  readonly processor: number
}

interface Window {
  readonly slices: readonly Slice[]
  /** Since the start. */
  readonly calls: number
  /** In bytes: of the process, what a full collection leaves of its heap, its state directory. */
  readonly memory: number
  readonly heap: number
  readonly disk: number
  readonly handles: number
  /** Processors that other programs used. */
  readonly others: number
}

function watch({ pid, state, held }: Subject) {
  let times: number[] = []
  let slices: Slice[] = []
  let calls = 0
  let used = watchProcessors([pid])
  // The fewest at the ends of slices: callers come and go.
  let handles = Number.POSITIVE_INFINITY
  return {
    count(time: number) {
      times.push(time)
      calls++
    },
    endSlice() {
      slices.push({ p50: quantile(times, 0.5), p99: quantile(times, 0.99), processor: used().servers / times.length })
      times = []
      used = watchProcessors([pid])
      handles = process.platform === 'linux' ? Math.min(handles, readdirSync(`/proc/${pid}/fd`).length) : Number.NaN
    },
    async endWindow(isShown: boolean): Promise<Omit<Window, 'others'> | undefined> {
      const own = { slices, handles }
      slices = []
      handles = Number.POSITIVE_INFINITY
      if (!isShown) return undefined
      // Before the collection, which gives memory back.
      const memory = memoryOf(pid) * megabyte
      const heap = (await held()).objects * megabyte
      used = watchProcessors([pid])
      return { ...own, calls, memory, heap, disk: sizeOf(state) }
    },
  }
}

const megabyte = 1024 ** 2

function sizeOf(folder: string): number {
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => statSync(join(folder, path), { throwIfNoEntry: false })) // biome-ignore format: one line
  return found.reduce((sum, entry) => sum + (entry?.isFile() ? entry.size : 0), 0)
}

function toTable(name: string, measured: readonly Window[], minutes: number): Table & { readonly notes: string[] } {
  const median = ({ slices }: Window, of: keyof Slice) => quantile(slices.map((slice) => slice[of]), 0.5) // biome-ignore format: one line
  const rows = measured.map((window, index) => [
    [shown[index]! - 1, shown[index]!].map((end) => toMinute((end * minutes) / windows)).join(' to '),
    window.calls.toLocaleString('en'),
    ...(['p50', 'p99', 'processor'] as const).map((of) => toTime(median(window, of))),
    ...(['memory', 'heap', 'disk'] as const).map((of) => toBytes(window[of])),
    String(window.handles),
    window.others.toFixed(2),
  ])
  // The first window is warm-up.
  const [early, late] = [measured[1]!, measured.at(-1)!]
  const beside = 'in the last row beside the second'
  const timed = (['p50', 'p99', 'processor'] as const).map(
    (of) =>
    decideAim({ what: `${of} ${beside}`, most: flat }, late.slices.map((slice) => slice[of] / median(early, of))), // biome-ignore format: one line
  )
  const held = (['memory', 'heap', 'handles'] as const).map((of) =>
    decideAim({ what: `${of} ${beside}`, most: flatMemory }, [late[of] / early[of]]),
  )
  const nice = getPriority()
  return {
    title: `${name} (aim: flat)`,
    heading: ['minutes', 'calls so far', 'p50', 'p99', 'processor', 'memory', 'heap', 'on disk', 'handles', 'processors of others'], // biome-ignore format: one line
    rows,
    notes: [
      ...timed,
      ...held,
      'Memory is that of the process, heap what a full collection leaves.',
      ...(nice > 0 ? [`At priority ${nice}: other programs went first, so that times depend on them, and processor time less.`] : []), // biome-ignore format: one line
    ],
  }
}

function toMinute(minute: number): string {
  return String(Number(minute.toFixed(2)))
}
