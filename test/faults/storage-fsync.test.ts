import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, test } from 'vitest'
import { openSqliteStorage } from '../../src/runtime/storage/sqlite/sqlite.ts'
import { testStorage } from '../../src/runtime/storage/suite/suite.ts'

const root = mkdtempSync(join(tmpdir(), 'toolpact-fsync-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const open = (name: string) => openSqliteStorage({ directory: join(root, name), fsyncAll: true })

describe('sqlite with fsync for all', () => testStorage({ test, open }))
