import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { openMemoryStorage } from '../../src/runtime/storage/memory/memory.ts'
import { openSqliteStorage } from '../../src/runtime/storage/sqlite/sqlite.ts'
import { testStorage } from './storage-suite.ts'

const root = mkdtempSync(join(tmpdir(), 'toolpact-storage-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let directories = 0
const openSqlite = (fsyncAll: boolean) => openSqliteStorage({ directory: join(root, `${directories++}`), fsyncAll })

testStorage('memory', openMemoryStorage)
testStorage('sqlite', () => openSqlite(false))
testStorage('sqlite with fsync for all', () => openSqlite(true))
