/**
 * One connection brings everything that changes. Events are collected for a moment and then applied together, so that thousands
 * of calls a second cost a few renderings. The browser reconnects by itself and continues after the last entry it has seen; if
 * it gives up (the server answered with an error), we open a new connection and load everything again.
 */
import { batch, signal } from '@preact/signals'
import type { Overview, StreamEvents } from '../../api/api.ts'
import type { CallRow } from '../../api/calls.ts'
import { get, isSignedOut } from '../api.ts'
import { fromLiveCall, mergeCalls } from './merge-calls.ts'

/** Counts and states beside the navigation; null until they have arrived. */
export const overview = signal<Overview | null>(null)
/** Calls of the last minutes, newest first. */
export const liveCalls = signal<readonly CallRow[]>([])
/** Ids of the questions that the last event announced. */
export const asked = signal<readonly string[]>([])
/** These count changes: read one in a component, and it renders again. `resets`: load everything again. */
export const questionChanges = signal(0)
export const entryChanges = signal(0)
export const serverChanges = signal(0)
export const ruleChanges = signal(0)
export const resets = signal(0)
/** `since`: when the connection was lost. */
export const connection = signal<{ readonly state: 'live' | 'lost'; readonly since: number }>({
  state: 'live',
  since: Date.now(),
})

const applyAfterMs = 100
const retryAfterMs = [1000, 2000, 5000, 10_000]

export function openStream(): void {
  void get<Overview>('overview').then((now) => (overview.value ??= now))
  connect(0)
}

/** Adds calls from a list, so that the page Now starts with what happened before it was opened. */
export function addCalls(calls: readonly CallRow[]): void {
  const known = new Set(liveCalls.value.map((row) => row.callId))
  const older = calls.filter((row) => !known.has(row.callId))
  liveCalls.value = [...liveCalls.value, ...older].sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
}

function connect(attempt: number): void {
  const source = new EventSource('/console/api/stream')
  let failures = attempt
  source.onopen = () => {
    if (failures > 0) reset()
    failures = 0
    connection.value = { state: 'live', since: Date.now() }
  }
  source.onerror = () => {
    if (connection.value.state === 'live') connection.value = { state: 'lost', since: Date.now() }
    if (source.readyState !== EventSource.CLOSED) return
    source.close()
    setTimeout(() => void reconnect(failures + 1), retryAfterMs[Math.min(failures, retryAfterMs.length - 1)])
  }
  on(source, 'calls', ({ calls }) => collect(calls.map(fromLiveCall)))
  on(source, 'entries', ({ calls }) => {
    collect(calls)
    later(entryChanges)
  })
  on(source, 'questions', (event) => {
    asked.value = event.asked
    later(questionChanges)
  })
  on(source, 'servers', () => later(serverChanges))
  on(source, 'rules', () => later(ruleChanges))
  on(source, 'overview', (now) => (overview.value = now))
  on(source, 'reset', reset)
}

async function reconnect(attempt: number): Promise<void> {
  // An ended sign-in answers 401, which a stream cannot report.
  await get('session').catch(() => {})
  if (!isSignedOut.value) connect(attempt)
}

function reset(): void {
  batch(() => {
    liveCalls.value = []
    for (const changes of [questionChanges, entryChanges, serverChanges, ruleChanges, resets]) changes.value++
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
