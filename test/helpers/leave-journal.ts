import { readdirSync } from 'node:fs'
import { openDatabase } from '../../src/runtime/storage/sqlite/database.ts'
import { openJournal } from '../../src/runtime/storage/sqlite/journal.ts'
import { openJournalKeys } from '../../src/runtime/storage/sqlite/journal-key.ts'
import { toIntent } from '../../src/runtime/storage/suite/records.ts'

/** Leaves in a state directory what a killed process leaves: a journal, with a line per write of the named calls. */
export function leaveJournal(directory: string, ...writes: readonly string[][]): void {
  const database = openDatabase({ directory, lockTimeoutMs: 5000, report: () => {} })
  const journal = openJournal(directory, openJournalKeys(database))
  for (const names of writes) journal.write(names.map((name) => JSON.stringify(toIntent(name))))
  database.close()
}

export function findJournals(directory: string): string[] {
  return readdirSync(directory).filter((name) => name.startsWith('reads-'))
}
