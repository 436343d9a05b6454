import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { toEntryHash } from '../ledger-chain.ts'

/** A journal of a state before version 19: records without a MAC, one per line. */
export interface PlainJournal {
  readonly name: string
  readonly lines: readonly string[]
}

export function readPlainJournals(directory: string): PlainJournal[] {
  const names = readdirSync(directory).filter((name) => name.startsWith('journal-'))
  return names.map((name) => {
    const lines = readFileSync(join(directory, name), 'utf8').split('\n').slice(0, -1)
    const damaged = lines.findIndex((line) => !isRecord(line))
    return { name, lines: damaged === -1 ? lines : lines.slice(0, damaged) }
  })
}

/** Imports what killed processes of an older version left, once, with the migration. Later, such files are ignored. Returns what deletes them. */
export function importPlainJournals(connection: DatabaseSync, directory: string): () => void {
  let { seq, hash } = connection.prepare('SELECT seq, hash FROM head WHERE id = 1').get() as { seq: number; hash: string } // biome-ignore format: one line
  const journals = readPlainJournals(directory)
  for (const { name, lines } of journals) {
    const row = connection.prepare('SELECT taken FROM journals WHERE name = ?').get(name)
    for (const text of lines.slice((row?.taken as number | undefined) ?? 0)) {
      seq += 1
      hash = toEntryHash(hash, text)
      connection.prepare('INSERT INTO ledger (seq, text, hash) VALUES (?, ?, ?)').run(seq, text, hash)
    }
    // For good: its process may still run.
    connection.prepare('INSERT OR REPLACE INTO journals VALUES (?, ?, 1)').run(name, lines.length)
  }
  connection.prepare('UPDATE head SET seq = ?, hash = ? WHERE id = 1').run(seq, hash)
  return () => {
    for (const { name } of journals) rmSync(join(directory, name), { force: true })
  }
}

function isRecord(line: string): boolean {
  try {
    return typeof JSON.parse(line) === 'object'
  } catch {
    return false
  }
}
