import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, test } from 'vitest'
import { otherUser } from '../../../../test/helpers/other-user.ts'
import { startStorageProcess } from '../../../../test/processes/start-storage-process.ts'
import type { Approval } from '../storage.ts'
import { toIntent, toOutcome } from '../suite/records.ts'
import { openSqliteStorage } from './sqlite.ts'

const root = mkdtempSync(join(tmpdir(), 'toolpact-sqlite-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let directories = 0
/** Tables of the newest version. */
const callTables = ['ledger_open', 'ledger_late', 'ledger_spans', 'ledger_tools', 'ledger_callers', 'queue_version']
const newDirectory = () => join(root, `${directories++}`, 'state')

describe('commits', () => {
  test('appends that come together share one commit', async () => {
    const directory = newDirectory()
    const storage = openSqliteStorage({ directory })
    await storage.ledger.append(toIntent('first'), { durable: true })
    const before = countCommits(directory)
    const together = Array.from({ length: 64 }, (_, index) =>
      storage.ledger.append(toIntent(`${index}`), { durable: index % 2 === 0 }),
    )
    const taken = storage.counters.take('key', { count: 1, windowMs: 1 }, 0)
    await Promise.all([...together, taken])
    expect(countCommits(directory)).toBe(before + 1)
    for (let index = 0; index < 3; index++) await storage.ledger.append(toOutcome(`${index}`), { durable: true })
    expect(countCommits(directory)).toBe(before + 4)
    await storage.close()
  })

  test('every other process sees what was acknowledged', async () => {
    const directory = newDirectory()
    const storage = openSqliteStorage({ directory })
    const other = openSqliteStorage({ directory })
    for (let index = 1; index <= 20; index++) {
      await storage.ledger.append(toIntent(`${index}`), { durable: index % 3 === 0 })
      expect((await other.ledger.read()).map(({ record }) => record.callId)).toEqual(toNames(index))
    }
    expect(await storage.ledger.verify()).toMatchObject({ intact: true, entries: 20 })
    await other.close()
    await storage.close()
  })

  test('everything is still there after reopening, and the chain continues', async () => {
    const directory = newDirectory()
    for (let round = 1; round <= 5; round++) {
      const storage = openSqliteStorage({ directory })
      await storage.ledger.append(toIntent(`${round}`), { durable: round % 2 === 0 })
      await storage.close()
    }
    const storage = openSqliteStorage({ directory })
    expect((await storage.ledger.read()).map(({ record }) => record.callId)).toEqual(['1', '2', '3', '4', '5'])
    expect(await storage.ledger.verify()).toMatchObject({ intact: true, entries: 5 })
    await storage.close()
  })

  test('the log does not grow without end, in a long process and in many short ones', async () => {
    const input = { text: 'x'.repeat(1000) }
    const enough = 6 * 1024 * 1024
    const directory = newDirectory()
    const log = join(directory, 'toolpact.db-wal')
    let storage = openSqliteStorage({ directory })
    let largest = 0
    for (let index = 0; index < 1500; index++) {
      await storage.ledger.append(toIntent(`${index}`, { input }), { durable: false })
      largest = Math.max(largest, statSync(log).size)
    }
    expect(largest).toBeLessThan(enough)
    await storage.close()
    for (let round = 0; round < 20; round++) {
      storage = openSqliteStorage({ directory })
      for (let index = 0; index < 30; index++)
        await storage.ledger.append(toIntent(`${index}`, { input }), { durable: false })
      await storage.close()
      expect(statSync(log).size).toBeLessThan(enough)
    }
    expect(countCommits(directory)).toBeLessThan(300)
    storage = openSqliteStorage({ directory })
    expect(await storage.ledger.verify()).toMatchObject({ intact: true, entries: 2100 })
    await storage.close()
  })

  test('counters leave no rows of keys that are never used again', async () => {
    const directory = newDirectory()
    const { counters, close } = openSqliteStorage({ directory })
    for (let index = 0; index < 200; index++) await counters.take(`caller ${index}`, { count: 5, windowMs: 10 }, index)
    await close()
    const other = new DatabaseSync(join(directory, 'toolpact.db'))
    expect(other.prepare('SELECT count(*) AS count FROM uses').get()!.count).toBeLessThan(20)
    other.close()
  })
})

describe('the file', () => {
  test.skipIf(process.platform === 'win32')('is private to its owner, like the files beside it', async () => {
    const directory = newDirectory()
    const storage = openSqliteStorage({ directory })
    await storage.ledger.append(toIntent('1'), { durable: true })
    expect(statSync(directory).mode & 0o777).toBe(0o700)
    for (const name of ['toolpact.db', 'toolpact.db-wal', 'toolpact.db-shm']) {
      expect(statSync(join(directory, name)).mode & 0o777, name).toBe(0o600)
    }
    await storage.close()
  })

  test.skipIf(process.platform === 'win32')('is refused in a directory that others may write', () => {
    for (const mode of [0o777, 0o770, 0o702, 0o1777]) {
      const directory = newDirectory()
      mkdirSync(directory, { recursive: true })
      chmodSync(directory, mode)
      expect(() => openSqliteStorage({ directory })).toThrow(/Others may write in the state directory .* chmod go-w/)
    }
    const directory = newDirectory()
    mkdirSync(directory, { recursive: true, mode: 0o755 })
    expect(() => openSqliteStorage({ directory }).close()).not.toThrow()
  })

  test('of a later version is refused', async () => {
    const directory = newDirectory()
    await openSqliteStorage({ directory }).close()
    edit(directory, 'PRAGMA user_version = 99')
    expect(() => openSqliteStorage({ directory })).toThrow(
      /has version 99, and this Toolpact knows version \d+\. Update/,
    )
  })

  test('of an earlier version is brought up to date, and keeps what it holds', async () => {
    const directory = newDirectory()
    const before = openSqliteStorage({ directory })
    await before.ledger.append(toIntent('1'), { durable: true })
    await before.close()
    edit(
      directory,
      `${[
        'questions',
        'question_details',
        'approvals',
        'rule_uses',
        'replies',
        'evidence',
        'sessions',
        'session_entries',
        'session_images',
        'journals',
        'ledger_blocks',
        'ledger_origin',
        'ledger_archives',
        'ledger_tree',
        'ledger_tiles',
        'ledger_checkpoints',
        'received_checkpoints',
        'tasks',
        'sign_ins',
        'task_texts',
        'tasks_version',
        'ledger_groups',
        'ledger_ids',
        'runs',
        'run_texts',
        'run_steps',
        'runs_version',
        'connections',
        'journal_key',
        'queue_use',
        'ledger_tool_blocks',
        ...callTables,
      ]
        .map((table) => `DROP TABLE ${table};`)
        .join(' ')}
      CREATE TABLE approvals (
        id TEXT PRIMARY KEY, tool TEXT NOT NULL, contract_digest TEXT NOT NULL, input_digest TEXT NOT NULL,
        by TEXT NOT NULL, expires_at REAL NOT NULL
      ) STRICT;
      PRAGMA user_version = 1`,
    )
    rmSync(join(directory, 'ledger-head'))
    const after = openSqliteStorage({ directory })
    expect(await after.approvals.questions(0)).toEqual([])
    expect(await after.replies.claim('key', 'input', { now: 0, expiresAt: 1 })).toEqual({ state: 'claimed' })
    await after.evidence.keep('1', 'text')
    expect(await after.evidence.get('1')).toBe('text')
    expect(await after.sessions.list()).toEqual([])
    expect(await after.ledger.verify()).toMatchObject({ intact: true, entries: 1 })
    await after.close()
  })

  test('that is something else is refused with what to do', () => {
    const directory = newDirectory()
    mkdirSync(directory, { recursive: true })
    writeFileSync(join(directory, 'toolpact.db'), 'This is a letter to my aunt.'.repeat(100))
    expect(() => openSqliteStorage({ directory })).toThrow(/not a state file of Toolpact\. Move it away/)
    const blocked = newDirectory()
    mkdirSync(join(blocked, 'toolpact.db'), { recursive: true })
    expect(() => openSqliteStorage({ directory: blocked })).toThrow(/A directory stands where the file should be/)
    expect(() => openSqliteStorage({ directory: join(directory, 'toolpact.db') })).toThrow(/A file stands where/)
  })
})

describe('a storage that fails', () => {
  test('rejects every append of the batch while another process holds the lock, and works again after', async () => {
    const directory = newDirectory()
    const storage = openSqliteStorage({ directory, lockTimeoutMs: 50 })
    const other = new DatabaseSync(join(directory, 'toolpact.db'))
    other.exec('BEGIN IMMEDIATE')
    const appends = ['1', '2'].map((callId) => storage.ledger.append(toIntent(callId), { durable: true }))
    const taken = storage.counters.take('key', { count: 1, windowMs: 1000 }, 0)
    for (const promise of [...appends, taken]) {
      await expect(promise).rejects.toThrow(/toolpact\.db failed \(database is locked\)\. Another process has kept it/)
    }
    other.exec('COMMIT')
    other.close()
    await storage.ledger.append(toIntent('3'), { durable: true })
    expect((await storage.ledger.read()).map(({ record }) => record.callId)).toEqual(['3'])
    expect(await storage.counters.take('key', { count: 1, windowMs: 1000 }, 0)).toEqual({ taken: true })
    expect(await storage.ledger.verify()).toMatchObject({ intact: true, entries: 1 })
    await storage.close()
  })

  test.skipIf(process.platform === 'win32')(
    'says so when the disk takes no more, and loses nothing that it took',
    async () => {
      const directory = newDirectory()
      // A file size limit simulates a full disk.
      const limited = startStorageProcess(['append', directory, 'call', 5000], { shell: 'ulimit -f 900' })
      const lines = await limited.said
      expect(lines.at(-1)).toMatch(/^failed The state file .* (check its health, its free space|free some space)/)
      const acknowledged = lines.filter((line) => !line.startsWith('failed'))
      expect(acknowledged.length).toBeGreaterThan(10)
      const storage = openSqliteStorage({ directory })
      const kept = new Set((await storage.ledger.read()).map(({ record }) => `${record.kind} ${record.callId}`))
      expect(acknowledged.filter((line) => !kept.has(line))).toEqual([])
      expect(await storage.ledger.verify()).toHaveProperty('intact', true)
      await storage.close()
    },
  )

  test.skipIf(process.platform === 'win32')('says so when the disk is too full to create its tables', async () => {
    const limited = startStorageProcess(['append', newDirectory(), 'call', 1], { shell: 'ulimit -f 100' })
    expect(await limited.said).toEqual([
      expect.stringMatching(/^failed The state file .* (check its health, its free space|free some space)/),
    ])
  })

  test.skipIf(process.platform === 'win32')('says so when the file or its directory may not be written', async () => {
    const { uid, gid } = otherUser
    const parent = mkdtempSync(join(tmpdir(), 'toolpact-read-only-'))
    const directory = join(parent, 'state')
    try {
      const first = openSqliteStorage({ directory })
      await first.ledger.append(toIntent('1'), { durable: true })
      await first.close()
      const own = (path: string, mode: number) => {
        if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid)
        chmodSync(path, mode)
      }
      own(parent, 0o700)
      for (const name of ['', 'toolpact.db', 'toolpact.db-wal', 'toolpact.db-shm']) own(join(directory, name), 0o500)
      const readOnly = await startStorageProcess(['append', directory, 'call', 1], { user: otherUser }).said
      expect(readOnly).toEqual([expect.stringMatching(/^failed .*EACCES.* Check that this user may write the file/)])
      const absent = await startStorageProcess(['append', join(directory, 'new'), 'call', 1], { user: otherUser }).said
      expect(absent).toEqual([expect.stringMatching(/^failed .*EACCES.* Check that this user may write the file/)])
    } finally {
      chmodSync(directory, 0o700)
      rmSync(parent, { recursive: true, force: true })
    }
  })
})

describe('several processes', () => {
  test('open a new storage and append at once, and nothing is lost', async () => {
    const directory = newDirectory()
    const names = ['a', 'b', 'c', 'd']
    const said = await Promise.all(names.map((name) => startStorageProcess(['append', directory, name, 200]).said))
    const acknowledged = said.flat()
    expect(acknowledged).toHaveLength(4 * 200 * 2)
    const storage = openSqliteStorage({ directory })
    const entries = await storage.ledger.read()
    expect(entries.map(({ record }) => `${record.kind} ${record.callId}`).sort()).toEqual(acknowledged.sort())
    expect(await storage.ledger.verify()).toMatchObject({ intact: true, entries: 1600 })
    await storage.close()
  })

  test('take exactly the limit together', async () => {
    const directory = newDirectory()
    const takers = ['1', '2', '3', '4'].map(() => startStorageProcess(['take', directory, 'key', 40]).said)
    const said = (await Promise.all(takers)).flat()
    expect(said).toHaveLength(160)
    expect(said.filter((line) => line === 'taken')).toHaveLength(50)
  })

  test('use an approval once', async () => {
    const directory = newDirectory()
    const approval: Approval = {
      id: 'approval',
      tool: 'workspace.write_file',
      contractDigest: 'contract',
      inputDigest: 'input',
      caller: 'stdio',
      workspace: '/work',
      policyDigest: 'sha256:policy',
      previewDigest: 'sha256:preview',
      by: 'Ada',
      expiresAt: Date.now() + 600_000,
    }
    const storage = openSqliteStorage({ directory })
    await storage.approvals.grant(approval)
    const users = ['1', '2', '3', '4'].map(
      () => startStorageProcess(['use', directory, approval.id, JSON.stringify(approval)]).said,
    )
    expect((await Promise.all(users)).flat().sort()).toEqual(['refused', 'refused', 'refused', 'used'])
    await storage.close()
  })

  test('use the answer to a question once, when the same call is made again in several processes', async () => {
    const directory = newDirectory()
    const storage = openSqliteStorage({ directory })
    const call = { tool: 't', contractDigest: 'c', inputDigest: 'i', caller: 'stdio', workspace: '/work' }
    const binding = { ...call, policyDigest: 'p', previewDigest: 's' }
    const now = Date.now()
    const resumeInFour = async () => {
      const resumers = ['1', '2', '3', '4'].map(
        () => startStorageProcess(['resume', directory, 'call', JSON.stringify(binding)]).said,
      )
      return (await Promise.all(resumers)).flat().sort()
    }
    for (const [id, answer] of [
      ['q1', 'yes'],
      ['q2', 'no'],
    ] as const) {
      const question = { id, ...binding, askedAt: now, expiresAt: now + 600_000, summary: {}, details: {} }
      await storage.approvals.request(question, now)
      expect(await resumeInFour()).toEqual(Array(4).fill(`pending ${id}`))
      await storage.approvals.answer(id, { answer, by: 'Ada' }, Date.now())
      expect(await resumeInFour()).toEqual([`${answer} ${id}`, 'none', 'none', 'none'].sort())
    }
    await storage.close()
  })

  test('claim a key once, and it stays claimed when the process of the claim has ended without an answer', async () => {
    const directory = newDirectory()
    const claims = ['1', '2', '3', '4'].map(() => startStorageProcess(['claim', directory, 'key', 'input']).said)
    const said = (await Promise.all(claims)).flat()
    expect(said.sort()).toEqual(['claimed', 'in_flight', 'in_flight', 'in_flight'])
    expect(await startStorageProcess(['claim', directory, 'key', 'other']).said).toEqual(['other_input'])
    const storage = openSqliteStorage({ directory })
    await storage.replies.keep('key', { status: 200 })
    await storage.close()
    expect(await startStorageProcess(['claim', directory, 'key', 'input']).said).toEqual(['kept'])
  })
})

function toNames(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${index + 1}`)
}

function edit(directory: string, sql: string) {
  const database = new DatabaseSync(join(directory, 'toolpact.db'))
  database.exec(sql)
  database.close()
}

/**
 * Counts the frames of the write-ahead log that end a transaction: those that give the size of the file after it.
 * Frames from before the log was begun anew carry another salt than its header.
 */
function countCommits(directory: string): number {
  const log = readFileSync(join(directory, 'toolpact.db-wal'))
  const frameLength = 24 + log.readUInt32BE(8)
  const salt = log.subarray(16, 24)
  let commits = 0
  for (let frame = 32; frame + frameLength <= log.length; frame += frameLength) {
    if (!log.subarray(frame + 8, frame + 16).equals(salt)) break
    if (log.readUInt32BE(frame + 4) !== 0) commits += 1
  }
  return commits
}
