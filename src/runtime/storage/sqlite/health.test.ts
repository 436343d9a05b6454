import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test } from 'vitest'
import { trackHealth } from '../health.ts'
import { toIntent } from '../suite/records.ts'
import { openSqliteStorage } from './sqlite.ts'

const root = mkdtempSync(join(tmpdir(), 'toolpact-health-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

test('health finds out without a call whether records can be written, and reports a failure once, with its end', async () => {
  const directory = join(root, 'state')
  const reported: string[] = []
  const storage = openSqliteStorage({ directory, lockTimeoutMs: 50, report: (message) => reported.push(message) })
  expect(await storage.health()).toMatchObject({
    isWritable: true,
    lastCommitAt: expect.any(Number),
    lastFailure: null,
  })
  const other = new DatabaseSync(join(directory, 'toolpact.db'))
  other.exec('BEGIN IMMEDIATE')
  for (const durable of [true, false, true]) await storage.ledger.append(toIntent('1'), { durable }).catch(() => {})
  const message = expect.stringMatching(/database is locked.*find out which/)
  expect(await storage.health()).toMatchObject({ isWritable: false, lastFailure: { at: expect.any(Number), message } })
  expect(reported).toEqual([expect.stringMatching(/^Calls are refused because they cannot be recorded\. .*is locked/)])
  other.exec('COMMIT')
  other.close()
  expect(await storage.health()).toMatchObject({ isWritable: true, lastFailure: { message } })
  expect(reported).toEqual([expect.anything(), 'The storage works again: calls are recorded and accepted.'])
  await storage.close()
})

test('health notices at once that the database was moved, however recent the last commit', async () => {
  const directory = join(root, 'moved')
  const path = join(directory, 'toolpact.db')
  const storage = openSqliteStorage({ directory })
  await storage.ledger.append(toIntent('1'), { durable: true })
  renameSync(path, `${path}.elsewhere`)
  expect(await storage.health()).toMatchObject({ isWritable: false })
  renameSync(`${path}.elsewhere`, path)
  expect(await storage.health()).toMatchObject({ isWritable: true })
  await storage.close()
})

test('a storage that fails and recovers in quick turns does not repeat itself, and another failure is reported', () => {
  const reported: string[] = []
  const health = trackHealth((message) => reported.push(message))
  for (let turn = 0; turn < 10; turn++) {
    health.failed(new Error('The disk is full.'))
    health.succeeded()
  }
  expect(reported).toHaveLength(2)
  health.failed(new Error('The disk is gone.'))
  expect(reported).toHaveLength(3)
})
