import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openFiles } from '../../src/capabilities/files.ts'
import { openSqliteStorage } from '../../src/runtime/storage/sqlite/sqlite.ts'
import { toIntent } from '../../src/runtime/storage/suite/records.ts'

const disk = mkdtempSync(join(tmpdir(), 'toolpact-disk-'))
const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', disk]).status === 0
afterAll(() => {
  if (isMounted) spawnSync('umount', ['-l', disk])
  rmSync(disk, { recursive: true, force: true })
})

test.skipIf(!isMounted)(
  'an entry of which a full disk takes a part is removed again, and later ones are whole',
  async () => {
    const root = join(disk, 'workspace')
    mkdirSync(root)
    const files = openFiles({ root, appends: mkdtempSync(join(tmpdir(), 'toolpact-appends-')) })
    const path = join(root, 'log.jsonl')
    await files.append('log.jsonl', Buffer.from(`{"text":"${'x'.repeat(3900)}"}`))
    const whole = readFileSync(path)
    fill()
    await expect(files.append('log.jsonl', Buffer.from(`{"text":"${'y'.repeat(3000)}"}`))).rejects.toThrow(
      /removed again/,
    )
    expect(readFileSync(path)).toEqual(whole)
    rmSync(join(disk, 'filler'))
    await files.append('log.jsonl', Buffer.from('{"text":"z"}'))
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).text.at(-1))).toEqual(['x', 'z'])
  },
)

test.skipIf(!isMounted)(
  'a ledger on a full disk refuses writes and reads, says so once, and goes on once there is space',
  async () => {
    const reported: string[] = []
    const storage = openSqliteStorage({ directory: join(disk, 'state'), report: (message) => reported.push(message) })
    const acknowledged: string[] = []
    const append = async (callId: string, durable: boolean) => {
      await storage.ledger.append(toIntent(callId, { input: { text: 'x'.repeat(20_000) } }), { durable })
      acknowledged.push(callId)
    }
    await append('before', true)
    fill()
    const refused: unknown[] = []
    for (let call = 0; call < 200; call++) await append(`${call}`, call % 2 === 0).catch((error) => refused.push(error))
    expect(refused.length).toBeGreaterThan(100)
    expect((await storage.health()).lastFailure?.message).toMatch(/free some space|free space/)
    expect(reported.filter((message) => message.startsWith('Calls are refused'))).toHaveLength(1)
    rmSync(join(disk, 'filler'))
    await append('after', true)
    await append('a read after', false)
    expect(await storage.health()).toMatchObject({ isWritable: true })
    expect(reported.at(-1)).toBe('The storage works again: calls are recorded and accepted.')
    const kept = (await storage.ledger.read()).map(({ record }) => record.callId)
    expect(kept).toEqual(expect.arrayContaining(acknowledged))
    expect(new Set(kept).size).toBe(kept.length)
    expect(await storage.ledger.verify()).toMatchObject({ intact: true })
    await storage.close()
  },
)

/** Fills the remaining space. */
function fill() {
  const path = join(disk, 'filler')
  for (let size = 1024 * 1024; size >= 4096; ) {
    try {
      writeFileSync(path, Buffer.alloc(size, 'x'), { flag: 'a' })
    } catch {
      size /= 2
    }
  }
  expect(statSync(path).size).toBeGreaterThan(100_000)
}
