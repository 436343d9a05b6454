import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test } from 'vitest'
import { toIntent } from '../../src/runtime/storage/suite/records.ts'
import { findJournals, leaveJournal } from '../helpers/leave-journal.ts'
import { entries, openCommandFolder } from '../helpers/run-command.ts'
import { toVersion20 } from '../helpers/state-version-20.ts'

const folders: ReturnType<typeof openCommandFolder>[] = []
afterAll(() => {
  for (const { close } of folders) close()
})
const hasBubblewrap = spawnSync('bwrap', ['--version']).status === 0

test('a state of an older version is read without migrating it, and a migration keeps a private backup and says where', async () => {
  const { state, run } = await openWithCall()
  sql(
    state,
    `${toVersion20}
     DROP TABLE question_details; DROP TABLE ledger_blocks; DROP TABLE ledger_origin; DROP TABLE ledger_archives;
     DROP TABLE ledger_open; DROP TABLE ledger_late; DROP TABLE ledger_spans; DROP TABLE ledger_tools; DROP TABLE ledger_callers;
     DROP TRIGGER question_asked; DROP TRIGGER question_changed; DROP TRIGGER question_deleted; DROP TABLE queue_version;
     DROP TABLE ledger_tree; DROP TABLE ledger_tiles; DROP TABLE ledger_checkpoints; DROP TABLE received_checkpoints;
     DROP TABLE tasks; DROP TABLE task_texts; DROP TABLE tasks_version;
     DROP TABLE ledger_groups; DROP TABLE ledger_ids; DROP TABLE sign_ins; DROP TABLE runs; DROP TABLE run_texts; DROP TABLE run_steps; DROP TABLE runs_version; DROP TABLE journal_key; DROP TABLE connections; PRAGMA user_version = 8`,
  )
  rmSync(join(state, 'ledger-head'))
  writeFileSync(join(state, 'journal-left-0'), `${JSON.stringify(toIntent('in-a-journal'))}\n`)
  const listed = await run(['ledger', '--json'])
  expect(listed.stdout).toContain('"tool":"learning.hello"')
  expect(listed.stdout).toContain('"callId":"in-a-journal"')
  expect((await run(['ledger', '--verify'])).stdout).toContain('The ledger is intact: 2 entries')
  expect((await run(['ledger', 'show'])).code).toBe(0)
  expect((await run(['ledger', 'show', 'in-a'])).stdout).toContain('Call in-a-journal')
  expect(versionOf(join(state, 'toolpact.db'))).toBe(8)
  expect(readdirSync(state).filter((name) => name.includes('backup'))).toEqual([])
  const { code, stderr } = await run(['call', 'learning.hello', 'name=Eve'])
  expect(code).toBe(0)
  const backup = join(state, 'toolpact-v8-backup.db')
  expect(stderr).toContain(`The state was migrated from version 8 to ${versionOf(join(state, 'toolpact.db'))}.`)
  expect(stderr).toContain(backup)
  expect(versionOf(backup)).toBe(8)
  expect(statSync(backup).mode & 0o777).toBe(0o600)
  const copy = new DatabaseSync(backup, { readOnly: true })
  expect(copy.prepare('SELECT count(*) AS count FROM ledger').get()).toEqual({ count: 2 })
  copy.close()
  expect((await run(['ledger', '--verify'])).stdout).toContain('The ledger is intact: 5 entries')
  expect(existsSync(join(state, 'journal-left-0'))).toBe(false)
})

test.skipIf(!hasBubblewrap)(
  'a ledger on a read-only disk can be read and verified, with and without the files beside it',
  async () => {
    const { folder, state, env } = await openWithCall()
    leaveJournal(state, ['in-a-journal'])
    const runReadOnly = (...args: string[]) => {
      const frame = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/var/tmp']
      const own = { ...env, TMPDIR: '/var/tmp' }
      return execFileSync('bwrap', [...frame, process.execPath, entries.toolpact, ...args], {
        cwd: folder,
        env: own,
        encoding: 'utf8',
      })
    }
    for (const isComplete of [true, false]) {
      if (!isComplete) rmSync(join(state, 'toolpact.db-shm'))
      expect(runReadOnly('ledger', '--verify')).toContain('The ledger is intact: 2 entries')
      expect(runReadOnly('ledger', '--json').match(/"callId"/g)).toHaveLength(2)
      expect(runReadOnly('ledger', 'show', 'in-a')).toContain('Call in-a-journal')
    }
    expect(findJournals(state)).toHaveLength(1)
  },
)

async function openWithCall() {
  const opened = openCommandFolder()
  folders.push(opened)
  expect((await opened.run(['call', 'learning.hello', 'name=Ada'])).code).toBe(0)
  return { ...opened, state: join(opened.folder, 'state') }
}

function sql(state: string, text: string) {
  const database = new DatabaseSync(join(state, 'toolpact.db'))
  database.exec(text)
  database.close()
}

function versionOf(path: string): number {
  const database = new DatabaseSync(path, { readOnly: true })
  const version = database.prepare('PRAGMA user_version').get()!.user_version as number
  database.close()
  return version
}
