import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyArchive } from '../../src/runtime/storage/ledger-archive.ts'
import { openSqliteStorage } from '../../src/runtime/storage/sqlite/sqlite.ts'
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

beforeAll(async () => {
  const storage = openSqliteStorage({ directory })
  for (let call = 0; call < calls; ) {
    const batch = Array.from({ length: 4000 }, () => {
      const callId = randomUUID()
      const at = new Date(Date.UTC(2026, 0, 1) + call * 1000).toISOString()
      if (call++ % 100_000 === 777) some.push(callId)
      return [toIntent(callId, { at }), toOutcome(callId, { at })]
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
  expect(statSync(join(directory, 'toolpact.db')).size).toBeLessThan(before * 0.85)
  expect(statSync(join(directory, 'toolpact.db-wal')).size).toBeLessThan(20_000_000)
})

/** Bytes that this process has read from files, cached or not. */
function readBytes(): number {
  return Number(/^rchar: (\d+)/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1] ?? 0)
}
