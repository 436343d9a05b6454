import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { toCalls } from '../../src/runtime/storage/calls.ts'
import { openSqliteStorage } from '../../src/runtime/storage/sqlite/sqlite.ts'
import type { LedgerEntry, Storage } from '../../src/runtime/storage/storage.ts'
import { startStorageProcess } from '../processes/start-storage-process.ts'

const kills = 24
const inFlight = 32
const directory = join(mkdtempSync(join(tmpdir(), 'toolpact-kill-')), 'state')
afterAll(() => rmSync(join(directory, '..'), { recursive: true, force: true }))

test(`a process killed ${kills} times amid its calls loses nothing that it acknowledged`, async () => {
  const acknowledged: string[] = []
  for (let round = 0; round < kills; round++) {
    const lines = await appendUntilKilled(round)
    expect(lines.length).toBeGreaterThan(0)
    acknowledged.push(...lines)
    if (round % 6 === 5) await expectIntact()
  }
  expect(acknowledged.filter((line) => line.startsWith('failed'))).toEqual([])
  expect(acknowledged.length).toBeGreaterThan(1000)

  const storage = openSqliteStorage({ directory })
  const entries = await readAll(storage)
  const kept = new Set(entries.map(({ record }) => `${record.kind} ${record.callId}`))
  expect(acknowledged.filter((line) => !kept.has(line))).toEqual([])

  const states = new Map(toCalls(entries).map(({ callId, state }) => [callId, state]))
  const ended = acknowledged.filter((line) => line.startsWith('outcome ')).map((line) => line.slice('outcome '.length))
  expect(ended.filter((callId) => states.get(callId) !== 'succeeded')).toEqual([])
  const interrupted = [...states.values()].filter((state) => state === 'interrupted')
  expect(interrupted.length).toBeGreaterThan(0)
  expect(interrupted.length).toBeLessThanOrEqual(kills * inFlight)

  expect(await storage.ledger.verify()).toMatchObject({ intact: true, entries: entries.length })
  await storage.close()
})

async function appendUntilKilled(round: number): Promise<string[]> {
  const durability = round % 2 === 0 ? 'durable' : 'not durable'
  const { child, said } = startStorageProcess(['append-until-killed', directory, `round ${round}`, durability])
  await new Promise((resolve, reject) => {
    child.stdout!.once('data', resolve)
    child.once('exit', () => reject(new Error(`The process ended by itself in round ${round}.`)))
  })
  await wait(Math.random() * 150)
  child.kill('SIGKILL')
  return said
}

async function expectIntact() {
  const storage = openSqliteStorage({ directory })
  expect(await storage.ledger.verify()).toHaveProperty('intact', true)
  await storage.close()
}

async function readAll({ ledger }: Storage): Promise<LedgerEntry[]> {
  const entries: LedgerEntry[] = []
  while (true) {
    const page = await ledger.read({ afterSeq: entries.at(-1)?.seq ?? 0, first: 5000 })
    if (page.length === 0) return entries
    entries.push(...page)
  }
}
