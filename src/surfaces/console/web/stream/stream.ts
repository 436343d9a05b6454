/**
 * One connection brings everything that changes. Events are collected for a moment and then applied together, so that thousands
 * of calls a second cost a few renderings. The browser reconnects by itself and continues after the last entry it has seen; only
 * entries are replayed, so everything else is loaded again. If the browser gives up (the server answered with an error), we open
 * a new connection and load the entries again as well. A tab that nobody has looked at for a while closes its connection, since
 * browsers allow only six to a server, for all tabs together.
 */
import { batch, signal } from '@preact/signals'
import type { Overview, StreamEvents } from '../../api/api.ts'
import type { CallRow } from '../../api/calls.ts'
import { get, isSignedOut } from '../api.ts'
import { wantsAlerts } from '../shell/alerts.ts'
import { fromLiveCall, mergeCalls } from './merge-calls.ts'

/** Counts and states beside the navigation; null until they have arrived. */
export const overview = signal<Overview | null>(null)
/** Calls of the last minutes, newest first. */
export const liveCalls = signal<readonly CallRow[]>([])
/** These count changes: read one in a component, and it renders again. `resets`: load everything again. */
export const questionChanges = signal(0)
export const entryChanges = signal(0)
export const serverChanges = signal(0)
export const ruleChanges = signal(0)
export const runChanges = signal(0)
export const resets = signal(0)
/** `since`: when the connection was lost. */
export const connection = signal<{ readonly state: 'live' | 'lost'; readonly since: number }>({
  state: 'live',
  since: Date.now(),
})

const applyAfterMs = 100
const restAfterMs = 300_000
const retryAfterMs = [1000, 2000, 5000, 10_000]

export function openStream(): void {
  void get<Overview>('overview').then((now) => (overview.value ??= now))
  connect(0)
  let timer: ReturnType<typeof setTimeout> | undefined
  document.addEventListener('visibilitychange', () => {
    clearTimeout(timer)
    if (document.hidden) timer = setTimeout(rest, restAfterMs)
  })
}

/** Adds calls from a list in order of time, so that the page Now starts with what happened before it was opened. */
export function addCalls(calls: readonly CallRow[]): void {
  liveCalls.value = mergeCalls(liveCalls.value, calls).toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))
}

let source: EventSource | undefined

function connect(attempt: number): void {
  const opened = new EventSource('/console/api/stream')
  source = opened
  let failures = attempt
  let isFirst = attempt === 0
  opened.onopen = () => {
    if (failures > 0) reset()
    else if (!isFirst) for (const changes of [questionChanges, serverChanges, ruleChanges, runChanges]) later(changes)
    isFirst = false
    failures = 0
    connection.value = { state: 'live', since: Date.now() }
  }
  opened.onerror = () => {
    if (connection.value.state === 'live') connection.value = { state: 'lost', since: Date.now() }
    if (opened.readyState !== EventSource.CLOSED) return
    setTimeout(() => void reconnect(failures + 1), retryAfterMs[Math.min(failures, retryAfterMs.length - 1)])
  }
  on(opened, 'inFlight', ({ live, running }) => {
    const calls = [...live.map(fromLiveCall), ...running]
    const ids = new Set(calls.map((call) => call.callId))
    liveCalls.value = liveCalls.value.filter((call) => call.state !== 'running' || ids.has(call.callId))
    addCalls(calls)
  })
  on(opened, 'calls', ({ calls }) => collect(calls.map(fromLiveCall)))
  on(opened, 'entries', ({ calls }) => {
    collect(calls)
    later(entryChanges)
  })
  on(opened, 'questions', () => later(questionChanges))
  on(opened, 'servers', () => later(serverChanges))
  on(opened, 'rules', () => later(ruleChanges))
  on(opened, 'runs', () => later(runChanges))
  on(opened, 'overview', (now) => (overview.value = now))
  on(opened, 'reset', reset)
}

function rest(): void {
  if (!document.hidden || wantsAlerts()) return
  source?.close()
  const wake = () => {
    if (document.hidden) return
    document.removeEventListener('visibilitychange', wake)
    connect(1)
  }
  document.addEventListener('visibilitychange', wake)
}

async function reconnect(attempt: number): Promise<void> {
  // An ended sign-in answers 401, which a stream cannot report.
  await get('session').catch(() => {})
  if (!isSignedOut.value) connect(attempt)
}

function reset(): void {
  batch(() => {
    liveCalls.value = []
    for (const changes of [questionChanges, entryChanges, serverChanges, ruleChanges, runChanges, resets])
      changes.value++
  })
}

function on<Name extends keyof StreamEvents>(
  source: EventSource,
  name: Name,
  run: (event: StreamEvents[Name]) => void,
): void {
  source.addEventListener(name, (event) => run(JSON.parse((event as MessageEvent<string>).data)))
}

const collected: CallRow[] = []
const counters = new Set<typeof questionChanges>()
let isDue = false

function collect(calls: readonly CallRow[]): void {
  for (const call of calls) collected.push(call)
  applySoon()
}

function later(counter: typeof questionChanges): void {
  counters.add(counter)
  applySoon()
}

function applySoon(): void {
  if (!isDue) setTimeout(apply, applyAfterMs)
  isDue = true
}

function apply(): void {
  isDue = false
  batch(() => {
    if (collected.length > 0) liveCalls.value = mergeCalls(liveCalls.value, collected.splice(0))
    for (const counter of counters) counter.value++
    counters.clear()
  })
}
