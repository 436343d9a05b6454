import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { openSqliteStorage } from '../../src/runtime/storage/sqlite/sqlite.ts'
import { toIntent, toOutcome } from '../../src/runtime/storage/suite/records.ts'
import { openCommandFolder } from '../helpers/run-command.ts'

const { folder, run, close } = openCommandFolder()
afterAll(close)

test('ledger archive moves old calls into a file that --verify checks, and says how to use it', async () => {
  const storage = openSqliteStorage({ directory: join(folder, 'state') })
  for (const [callId, at] of [
    ['old', '2020-01-01T00:00:00.000Z'],
    ['new', new Date().toISOString()],
  ] as const) {
    await storage.ledger.append(toIntent(callId, { at }), { durable: true })
    await storage.ledger.append(toOutcome(callId, { at }), { durable: true })
  }
  await storage.close()
  expect(await run(['ledger', 'archive'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--keep 90d') })
  expect(await run(['ledger', 'archive', '--keep', 'all'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--keep 10GB'),
  })
  expect((await run(['ledger', '--keep', '90d'])).stderr).toContain('Use toolpact ledger archive --keep AMOUNT.')
  expect((await run(['ledger', 'archive', '--keep', '10GB'])).stdout).toBe('There is nothing to archive.\n')
  writeFileSync(join(folder, 'keep.json'), '{"ledger":{"keep":"90d"}}')
  const { stdout } = await run(['ledger', 'archive', '--config', 'keep.json', '--json'])
  const { segments } = JSON.parse(stdout)
  expect(segments).toMatchObject([{ first: 1, last: 2 }])
  const { file } = segments[0]
  expect(existsSync(file)).toBe(true)
  expect((await run(['ledger', '--verify'])).stdout).toContain(
    'The ledger is intact: 2 entries after 2 archived, head ',
  )
  expect((await run(['ledger', '--verify', file])).stdout).toContain(
    'The archive is intact: entries 1 to 2 of this ledger',
  )
  expect((await run(['ledger', '--json'])).stdout.match(/"callId":"\w+"/g)).toEqual(['"callId":"new"'])
  const changed = gunzipSync(readFileSync(file)).toString().replace('"Ada"', '"Eve"')
  writeFileSync(join(folder, 'changed.gz'), gzipSync(changed))
  expect(await run(['ledger', '--verify', 'changed.gz'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The archive is broken: Entry 1'),
  })
  expect((await run(['ledger', '--verify', 'none.gz'])).code).toBe(2)
  expect(await run(['ledger', '--verify', '.'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('cannot be read (EISDIR'),
  })
  writeFileSync(join(folder, 'letter.txt'), 'Dear aunt,')
  expect(await run(['ledger', '--verify', 'letter.txt'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('letter.txt is not a Toolpact archive.'),
  })
  expect((await run(['ledger', 'show', 'old'])).stdout).toContain('Call old')
  const other = openCommandFolder()
  onTestFinished(other.close)
  expect(await other.run(['ledger', '--verify', file])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The archive is intact, but it belongs to another ledger: entries 1 to 2 of '),
  })
  expect((await run(['ledger', 'archive', '--help'])).stdout).toContain('toolpact ledger archive --keep 10GB --json')
})
