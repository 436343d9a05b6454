import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { openToolpact } from '../app.ts'

test('a verification can continue where the last one ended, and then checks new entries and the tree of old ones', async () => {
  const directory = makeFolder()
  await call(directory)
  expect((await verify(directory, false)).seals.from).toBe(0)
  await call(directory)
  expect(await verify(directory, false)).toMatchObject({
    intact: true,
    seals: { from: 2, sealed: 4, newest: { size: 4 } },
  })
  expect((await verify(directory, undefined)).seals.from).toBe(0)
  change(directory, "UPDATE ledger SET text = replace(text, 'Ada', 'Eve') WHERE seq = 1")
  expect((await verify(directory, false)).intact).toBe(true)
  expect(await verify(directory, true)).toMatchObject({ intact: false, chain: { intact: false, brokenAtSeq: 1 } })
  expect(await verify(directory, undefined)).toMatchObject({ intact: false })
})

test('a new entry that was changed is found when only new ones are read', async () => {
  const directory = makeFolder()
  await call(directory)
  await verify(directory, false)
  await call(directory)
  change(directory, "UPDATE ledger SET text = replace(text, 'Ada', 'Eve') WHERE seq = 3")
  expect(await verify(directory, false)).toMatchObject({ intact: false, chain: { brokenAtSeq: 3 } })
})

test('a remembered checkpoint that is forged is not used', async () => {
  const directory = makeFolder()
  await call(directory)
  await verify(directory, false)
  change(directory, `UPDATE notes SET value = replace(value, '\\n2\\n', '\\n3\\n') WHERE key = 'ledger.verified'`)
  expect((await verify(directory, false)).seals.from).toBe(0)
})

async function call(stateDirectory: string) {
  const toolpact = await openToolpact({ stateDirectory })
  expect(await toolpact.call('learning.hello', { name: 'Ada' })).toMatchObject({ success: true })
  await toolpact.close()
}

async function verify(stateDirectory: string, full: boolean | undefined) {
  const toolpact = await openToolpact({ stateDirectory, access: 'read' })
  const found = await toolpact.proof!.verify(full === undefined ? {} : { full })
  await toolpact.close()
  return found
}

function change(directory: string, sql: string) {
  const database = new DatabaseSync(join(directory, 'toolpact.db'))
  database.exec(sql)
  database.close()
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-verify-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
