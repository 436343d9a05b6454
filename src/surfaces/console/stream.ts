import type { IncomingMessage, ServerResponse } from 'node:http'
import { toFoundCalls } from '../../runtime/storage/calls.ts'
import { sendProblem } from '../http/send-problem.ts'
import type { StreamEvents } from './api/api.ts'
import type { CallRow } from './api/calls.ts'
import type { CallEvents } from './call-events.ts'
import { toCallRow } from './calls.ts'
import { type ConsoleParts, toVisibleJson } from './endpoint.ts'
import { consoleHeaders } from './headers.ts'
import { findInFlight, toWaiting, withFollowed } from './in-flight.ts'
import { createLiveCalls } from './live-calls.ts'
import { forgetStorageCheck, toOverview } from './session.ts'
import { watchState } from './watch-state.ts'

/** Open streams. Each is a connection that stays open. */
const maxStreams = 64
/** A browser that reads so slowly is disconnected; it comes back with the position that it has reached. */
const maxUnreadBytes = 1_048_576
const heartbeatMs = 15_000
/** Entries that are sent at once. A browser that is further behind loads its page again instead. */
const maxEntries = 500
const entriesEveryMs = 500
const overviewEveryMs = 1000
/** By then, the next checkpoint covers an entry. */
const sealedAfterMs = 6000
const maxTimeoutMs = 2_147_483_647

/**
 * The stream of events for browsers. While none is connected, it watches nothing and costs calls nothing. Each message is
 * made once for all browsers. Invariant: the id of an `entries` event is a position in the ledger up to which a browser has
 * everything, so it can continue from there after any interruption, also of this server.
 */
export function createStream(parts: ConsoleParts, calls: CallEvents) {
  const { ledger, approvals } = parts.toolpact
  const connected = new Set<ServerResponse>()
  /** Those that have caught up. */
  const current = new Set<ServerResponse>()
  let watching: { readonly live: ReturnType<typeof createLiveCalls>; stop(): void } | undefined
  /** The position up to which everything was sent. */
  let position = 0

  function start() {
    const overview = createOverview()
    let sealed: NodeJS.Timeout | undefined
    /** Nothing reports that new entries are sealed. */
    function lookWhenSealed() {
      sealed ??= setTimeout(() => {
        sealed = undefined
        overview.look()
      }, sealedAfterMs).unref()
    }
    const live = createLiveCalls(calls, (changed) => {
      send('calls', { calls: changed })
      if (!changed.some(({ ended }) => ended?.code === 'ledger_unavailable')) return
      forgetStorageCheck(parts.toolpact)
      overview.look()
    })
    const entries = createPacer(entriesEveryMs, async () => {
      await sendEntries()
      overview.look()
      lookWhenSealed()
    })
    lookWhenSealed()
    const questions = createPacer(entriesEveryMs, async () => {
      await sendQuestions()
      overview.look()
    })
    const known = new Set<string>()
    let isFirst = true
    let expiry: NodeJS.Timeout | undefined
    async function sendQuestions() {
      const pending = (await approvals.questions(Date.now())).filter(({ state }) => state === 'pending')
      const asked = pending.map(({ id }) => id).filter((id) => !known.has(id))
      // Not all calls are observed: not those of other processes, nor all of many.
      const waiting = pending.filter(
        ({ id, awaitedBy }) => awaitedBy !== null && !known.has(id) && !live.has(awaitedBy),
      )
      if (waiting.length > 0 && !isFirst) send('calls', { calls: waiting.slice(0, 100).map(toWaiting) })
      const isSame = asked.length === 0 && pending.length === known.size
      known.clear()
      for (const { id } of pending) known.add(id)
      if (!isSame && !isFirst) send('questions', { count: pending.length, asked: asked.slice(0, 100) })
      isFirst = false
      clearTimeout(expiry)
      // Nothing reports that a question expires.
      const next = Math.min(...pending.map(({ expiresAt }) => expiresAt))
      if (pending.length > 0)
        expiry = setTimeout(questions.look, Math.min(next - Date.now() + 50, maxTimeoutMs)).unref()
    }
    const runs = createPacer(entriesEveryMs, async () => {
      send('runs', { changed: true })
      overview.look()
    })
    const showServer = (name: string) => {
      send('servers', { name })
      overview.look()
    }
    const stopWatching = watchState(parts.toolpact, {
      entries: entries.look,
      questions: questions.look,
      server: showServer,
      rules: () => send('rules', { changed: true }),
      runs: runs.look,
    })
    parts.onDecision.add(showServer)
    questions.look()
    const heartbeat = setInterval(() => {
      write(': still here\n\n')
      // Nothing reports that the storage works again.
      overview.look()
    }, heartbeatMs).unref()
    const stop = () => {
      clearInterval(heartbeat)
      clearTimeout(expiry)
      clearTimeout(sealed)
      for (const part of [live, entries, questions, runs, overview]) part.stop()
      stopWatching()
      parts.onDecision.delete(showServer)
    }
    return { live, stop }
  }

  /** Sends the overview if it has changed. */
  function createOverview() {
    let sent = ''
    return createPacer(overviewEveryMs, async () => {
      const text = toMessage('overview', await toOverview(parts))
      if (text !== sent) write(text)
      sent = text
    })
  }

  async function sendEntries() {
    const from = position
    const found = await readCalls(from)
    if (position !== from || found.to === from) return
    position = found.to
    if (found.calls) send('entries', { calls: found.calls }, found.to)
    else send('reset', { head: found.to }, found.to)
  }

  /** The calls that ended after a position; without `calls` if there were too many entries. */
  async function readCalls(after: number): Promise<{ readonly to: number; readonly calls?: readonly CallRow[] }> {
    const { seq: head } = await ledger.head()
    if (head - after > maxEntries || head < after) return { to: head }
    const entries = await ledger.read({ afterSeq: after, first: maxEntries })
    const ended = entries.filter(({ record }) => record.kind === 'outcome' || record.kind === 'refusal' || (record.kind === 'step' && record.stage === 'end')) // biome-ignore format: one line
    const isWhole = new Set(entries.filter(({ record }) => record.kind === 'intent').map(({ record }) => record.callId))
    const ids = new Set(ended.map(({ record }) => record.callId))
    const earlier = await Promise.all(
      ended
        .filter(({ record }) => record.kind !== 'refusal' && !isWhole.has(record.callId))
        .map(({ record: { callId } }) => ledger.read({ callId })),
    )
    const all = [...earlier.flat(), ...entries].filter(({ record }) => ids.has(record.callId))
    const unique = [...new Map(all.map((entry) => [entry.seq, entry])).values()].sort((a, b) => a.seq - b.seq)
    return { to: entries.at(-1)?.seq ?? after, calls: toFoundCalls(unique).map((call) => toCallRow(call)) }
  }

  async function open({ headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    if (connected.size >= maxStreams) return sendProblem(response, 'server_busy', { headers: { ...consoleHeaders, 'Retry-After': 5 } }) // biome-ignore format: one line
    connected.add(response)
    response.once('close', () => {
      connected.delete(response)
      current.delete(response)
      if (connected.size === 0) close()
    })
    response.writeHead(200, {
      ...consoleHeaders,
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
    })
    response.write('retry: 1000\n\n')
    const [{ seq: head }, overview] = [await ledger.head(), await toOverview(parts)]
    if (response.destroyed) return
    if (!watching) {
      position = head
      watching = start()
    }
    response.write(toMessage('overview', overview))
    await catchUp(response, headers['last-event-id'])
  }

  /**
   * Sends what a browser has missed, and the calls in flight. These are looked up first: one that ends meanwhile is among the
   * entries that follow. It is current once it is where the others are.
   */
  async function catchUp(response: ServerResponse, lastId: string | string[] | undefined): Promise<void> {
    const inFlight = await findInFlight(parts.toolpact).catch(() => undefined)
    let at = typeof lastId === 'string' && /^\d{1,15}$/.test(lastId) ? Number(lastId) : position
    if (at === position) response.write(toMessage('entries', { calls: [] }, at))
    while (at !== position && !response.destroyed) {
      const { to, calls } = await readCalls(at)
      response.write(calls ? toMessage('entries', { calls }, to) : toMessage('reset', { head: to }, to))
      if (to >= position) break
      at = to
    }
    if (response.destroyed) return
    if (inFlight) response.write(toMessage('inFlight', withFollowed(inFlight, watching?.live.list() ?? [])))
    current.add(response)
  }

  function send<Name extends keyof StreamEvents>(name: Name, data: StreamEvents[Name], id?: number) {
    write(toMessage(name, data, id))
  }

  function write(text: string) {
    for (const browser of current) {
      if (browser.writableLength > maxUnreadBytes) browser.destroy()
      else browser.write(text)
    }
  }

  function close() {
    for (const browser of connected) browser.end()
    watching?.stop()
    watching = undefined
  }

  return { open, close }
}

function toMessage<Name extends keyof StreamEvents>(name: Name, data: StreamEvents[Name], id?: number): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${toVisibleJson(data, 'code')}\n\n`
}

/** Runs an action soon after it was asked for, at most once in an interval. */
function createPacer(everyMs: number, act: () => Promise<void>) {
  let timer: NodeJS.Timeout | undefined
  let ranAt = Number.NEGATIVE_INFINITY
  let isRunning = false
  let isWanted = false
  let isStopped = false

  function look() {
    isWanted = true
    if (isRunning || isStopped || timer) return
    timer = setTimeout(run, Math.max(0, ranAt + everyMs - performance.now())).unref()
  }

  async function run() {
    timer = undefined
    isWanted = false
    isRunning = true
    // The storage may fail for a while; the next change tries again.
    await act().catch(() => {})
    isRunning = false
    ranAt = performance.now()
    if (isWanted) look()
  }

  return {
    look,
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
