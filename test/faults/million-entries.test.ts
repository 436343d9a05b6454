import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyArchive } from '../../src/runtime/storage/ledger-archive.ts'
import { openSqliteStorage } from '../../src/runtime/storage/sqlite/sqlite.ts'
import type { CallsPage, CallsQuery, FoundCall } from '../../src/runtime/storage/storage.ts'
import { toIntent, toOutcome } from '../../src/runtime/storage/suite/records.ts'
import { entries } from '../helpers/run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolpact-million-'))
const directory = join(folder, 'state')
const env = { ...process.env, TOOLPACT_STATE_DIR: directory, XDG_CACHE_HOME: join(folder, 'cache') }
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const calls = 500_000
/** Of these. */
const archived = 100_000
const some: string[] = []
const begin = Date.UTC(2026, 0, 1)
const timings: string[] = []
afterAll(() => console.log(timings.join('\n')))

beforeAll(async () => {
  const storage = openSqliteStorage({ directory })
  for (let call = 0; call < calls; ) {
    const batch = Array.from({ length: 4000 }, () => {
      const callId = randomUUID()
      const at = new Date(begin + call * 1000).toISOString()
      if (call % 100_000 === 777) some.push(callId)
      const records = toRecords(call, { callId, at })
      call++
      return records
    })
    await Promise.all(batch.flat().map((record) => storage.ledger.append(record, { durable: true })))
  }
  await storage.close()
})

test('a call is found among a million entries without reading them all', async () => {
  const storage = openSqliteStorage({ directory, access: 'read' })
  for (const callId of some) {
    const before = readBytes()
    const found = await storage.ledger.read({ callId })
    expect(found.map(({ record }) => record.kind)).toEqual(['intent', 'outcome'])
    // The entries take a gigabyte, their index 10 MB.
    if (process.platform === 'linux') expect(readBytes() - before).toBeLessThan(60_000_000)
    expect(await storage.ledger.read({ callIdPrefix: callId.slice(0, 8), first: 1 })).toHaveLength(1)
  }
  expect(await storage.ledger.read({ tool: 'none.such', last: 10 })).toEqual([])
  await storage.close()
})

test('pages of calls are found among a million entries without reading them all', async () => {
  const storage = openSqliteStorage({ directory })
  const { ledger } = storage
  const find = (name: string, query: CallsQuery) => timed(`calls, ${name}`, () => ledger.calls(query))
  await timed('indexing what the burst left', () => ledger.totals())
  const first = await find('first page', {})
  expect(first.calls.map(({ seq }) => seq)).toEqual(Array.from({ length: 50 }, (_, index) => 2 * (calls - index) - 1))
  const middle = await find('before the middle', { before: calls + 1 })
  expect(middle.calls[0]?.seq).toBe(calls - 1)
  const seqOf = (call: number) => 2 * call + 1
  for (const [name, query, step, offset] of [
    ['by tool', { tool: 'web.fetch' }, 5000, 7],
    ['by state', { outcome: 'failed' }, 1000, 3],
    ['by code', { outcome: 'timeout' }, 1000, 3],
    ['by caller', { caller: 'caller 4' }, 9, 4],
  ] as const) {
    const page = await find(name, query)
    const newest = calls - step + ((((offset - calls) % step) + step) % step)
    const expected = Array.from({ length: 50 }, (_, index) => seqOf(newest - index * step))
    expect(
      [...page.calls, ...(await rest(query, page, 50))].slice(0, 50).map(({ seq }) => seq),
      name,
    ).toEqual(expected)
  }
  const rare = await find('by a caller with one call', { caller: 'rare' })
  expect(rare).toMatchObject({ calls: [{ seq: seqOf(12_345) }], before: null })
  expect(await find('by a time', { since: new Date(begin + 1_000_000), until: new Date(begin + 1_010_000) })).toMatchObject({ calls: { length: 10 } }) // biome-ignore format: one line
  expect(await find('without a match', { caller: 'nobody' })).toEqual({ calls: [], before: null })
  expect(await find('interrupted', { outcome: 'interrupted' })).toEqual({ calls: [], before: null })
  const text = { text: 'the needle' }
  const search = await find('text, one request', text)
  expect(search.searched).toBeLessThan(20_000)
  const found = [...search.calls, ...(await timed('calls, text, all requests', () => rest(text, search, 1)))]
  expect(found).toMatchObject([{ seq: seqOf(400_001) }])
  await storage.close()

  async function rest(query: CallsQuery, page: CallsPage, wanted: number) {
    const found: FoundCall[] = []
    for (let { before } = page; before !== null && found.length < wanted; ) {
      const next = await ledger.calls({ ...query, before })
      found.push(...next.calls)
      before = next.before
    }
    return found
  }
})

test('a million entries are counted in buckets and totals without reading them all', async () => {
  const storage = openSqliteStorage({ directory })
  const before = readBytes()
  const until = new Date(begin + calls * 1000)
  for (const [name, days, bucketMs] of [
    ['1 hour by minutes', 1 / 24, 60_000],
    ['24 hours by 15 minutes', 1, 900_000],
    ['7 days by 2 hours', 7, 7_200_000],
    ['30 days by 6 hours', 30, 21_600_000],
  ] as const) {
    const since = new Date(until.getTime() - days * 86_400_000)
    const stats = await timed(`stats, ${name}`, () => storage.ledger.stats({ since, until, bucketMs }))
    const counted = Math.min(calls, (until.getTime() - stats.times[0]!) / 1000)
    const { succeeded, failed } = stats.outcomes
    expect(
      [...succeeded, ...failed].reduce((sum, count) => sum + count, 0),
      name,
    ).toBe(counted)
    if (days >= 1) expect(stats.tools.map(({ tool }) => tool)).toEqual(['learning.hello', 'web.fetch'])
  }
  const totals = await timed('totals of all tools', () => storage.ledger.totals())
  expect(totals.map(({ tool, calls, failed }) => [tool, calls, failed])).toEqual([
    ['learning.hello', calls - calls / 5000, calls / 1000],
    ['web.fetch', calls / 5000, 0],
  ])
  expect(totals[0]!.callers).toHaveLength(10)
  await timed('head', () => storage.ledger.head())
  if (process.platform === 'linux') expect(readBytes() - before).toBeLessThan(60_000_000)
  await storage.close()
})

test('ledger --json into an unread pipe holds no more than a few pages', async () => {
  const child = spawn(process.execPath, [entries.toolpact, 'ledger', '--json'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] }) // biome-ignore format: one line
  const ended = once(child, 'exit')
  await once(child.stdout, 'readable')
  let resident = 0
  for (let look = 0; look < 30; look++) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    resident = Math.max(resident, Number(/VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) * 1024) // biome-ignore format: one line
  }
  expect(resident).toBeLessThan(300_000_000)
  let lines = 0
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    lines += (chunk as string).split('\n').length - 1
    if (lines > 50_000) break
  }
  // The reader of the rest is gone.
  expect(await ended).toEqual([0, null])
})

test('hundreds of thousands of entries are archived in segments that can be verified, and the space comes back', async () => {
  const storage = openSqliteStorage({ directory })
  const before = statSync(join(directory, 'toolpact.db')).size
  const segments = await storage.ledger.archive({ before: new Date(Date.UTC(2026, 0, 1) + archived * 1000) })
  expect(segments.at(-1)!.last).toBe(archived * 2)
  expect(await storage.ledger.verify()).toMatchObject({
    intact: true,
    entries: (calls - archived) * 2,
    archived: archived * 2,
  })
  let after = 0
  for (const { file, first, last, hash } of [segments[0]!, segments.at(-1)!]) {
    const verdict = await verifyArchive(file)
    expect(verdict).toMatchObject({ intact: true, after: { seq: first - 1 }, end: { seq: last, hash } })
    after += statSync(file).size
  }
  expect(after).toBeGreaterThan(0)
  await storage.close()
  // Archiving seals the entries first, and the tree over all of them stays: 34 bytes each.
  const tree = calls * 2 * 34
  expect(statSync(join(directory, 'toolpact.db')).size - tree).toBeLessThan(before * 0.85)
  expect(statSync(join(directory, 'toolpact.db-wal')).size).toBeLessThan(20_000_000)
})

/** Mostly alike, with a few that are looked for. */
function toRecords(call: number, { callId, at }: { callId: string; at: string }) {
  const tool = call % 5000 === 7 ? 'web.fetch' : 'learning.hello'
  const caller = { name: call === 12_345 ? 'rare' : `caller ${call % 9}` }
  const failed = call % 1000 === 3 ? { success: false, errorCode: 'timeout' } : {}
  const input = { name: call === 400_001 ? 'The Needle' : 'Ada' }
  return [
    toIntent(callId, { at, tool, caller, input }),
    toOutcome(callId, { at, tool, durationMs: call % 50, ...failed }),
  ]
}

/** Notes how long it took, and how long the event loop was blocked, for the reader of the results. */
async function timed<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const start = performance.now()
  const result = await run()
  const ms = performance.now() - start
  await new Promise((resolve) => setTimeout(resolve, 5))
  delay.disable()
  timings.push(`${name}: ${ms.toFixed(1)} ms, event loop blocked for at most ${(delay.max / 1e6).toFixed(0)} ms`)
  return result
}

/** Bytes that this process has read from files, cached or not. */
function readBytes(): number {
  return Number(/^rchar: (\d+)/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1] ?? 0)
}
