import { join } from 'node:path'
import { openSqliteStorage } from '../../src/runtime/storage/sqlite/sqlite.ts'

/** The SQLite engine for the storage suite, in each of its processes. Imported with `?root=FOLDER`. */
const root = new URL(import.meta.url).searchParams.get('root') ?? ''

export const open = (name: string) => openSqliteStorage({ directory: join(root, name) })
