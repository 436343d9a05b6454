import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, test } from 'vitest'
import { openMemoryStorage } from '../../src/runtime/storage/memory/memory.ts'
import { openSqliteStorage } from '../../src/runtime/storage/sqlite/sqlite.ts'
import { testStorage } from '../../src/runtime/storage/suite/suite.ts'
import { openToyEngine } from '../helpers/toy-engine.ts'

const root = mkdtempSync(join(tmpdir(), 'toolpact-storage-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const openSqlite = (name: string) => openSqliteStorage({ directory: join(root, name) })
const module = new URL(`../processes/open-sqlite.ts?root=${encodeURIComponent(root)}`, import.meta.url)

describe('memory', () => testStorage({ test, open: openMemoryStorage }))
describe('sqlite', () => testStorage({ test, open: openSqlite, module }))
describe('an engine that answers later', () => testStorage({ test, open: openToyEngine }))
