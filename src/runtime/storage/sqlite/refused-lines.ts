import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LedgerVerdict } from '../storage.ts'
import type { JournalReader, OtherJournal } from './read-journals.ts'

/** Evidence: lines in journals that were forged or changed, and records that are missing there. None of it is in the ledger. */
export interface RefusedLines {
  /** Adds what is new. False if it could not be written; then the journal must stay. */
  keep(owner: string, found: readonly Refusal[]): boolean
  /** Number of lines per file. */
  list(): readonly { readonly file: string; readonly count: number }[]
}

export type Refusal =
  | OtherJournal['refused'][number]
  /** Records that were acknowledged, of which no line is left. */
  | { readonly missing: number; readonly before: number }

/** Someone who can write the directory can write as much as the disk takes. */
const maxFileBytes = 1024 * 1024

export function openRefusedLines(directory: string, report: (message: string) => void): RefusedLines {
  const reported = new Set<string>()

  function keep(owner: string, found: readonly Refusal[]): boolean {
    const name = `refused-${owner.replace(/[^\w.-]/g, '_')}.jsonl`
    try {
      const kept = readOr(name)
      let added = ''
      for (const refusal of found) {
        const line = `${JSON.stringify(refusal)}\n`
        if (!kept.includes(line) && kept.length + added.length + line.length < maxFileBytes) added += line
      }
      if (added !== '') appendFileSync(join(directory, name), added, { mode: 0o600 })
    } catch (error) {
      report(`Lines of a journal beside the ledger were refused, and could not be kept in ${name} (${(error as NodeJS.ErrnoException).code}): they stay in the journal.`) // biome-ignore format: one line
      return false
    }
    if (!reported.has(name)) report(toRefusedText([{ file: join(directory, name), count: found.length }]))
    reported.add(name)
    return true
  }

  function readOr(name: string): string {
    try {
      return readFileSync(join(directory, name), 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
      throw error
    }
  }

  function list() {
    const names = readdirSync(directory).filter((name) => /^refused-[\w.-]+\.jsonl$/.test(name))
    return names.map((name) => ({ file: join(directory, name), count: readOr(name).split('\n').length - 1 }))
  }

  return { keep, list }
}

function toRefusedText(refused: ReturnType<RefusedLines['list']>): string {
  const count = refused.reduce((sum, { count }) => sum + count, 0)
  const files = refused.map(({ file }) => file).join(', ')
  return `${count === 1 ? '1 line' : `${count} lines`} of a journal beside the ledger ${count === 1 ? 'was' : 'were'} forged, changed or removed, or damaged in a power failure, and ${count === 1 ? 'is' : 'are'} not in the ledger. Read ${files}, find out who can write to that directory, and move the file away once you have.` // biome-ignore format: one line
}

/** What was refused makes an intact chain suspect: an acknowledged record may be missing in it. */
export function withRefused(
  verdict: LedgerVerdict,
  refused: RefusedLines,
  journal: Pick<JournalReader, 'unreadable'>,
): LedgerVerdict {
  if (!verdict.intact) return verdict
  const found = refused.list()
  const unreadable = journal.unreadable()
  const reasons = [
    ...(found.length > 0 ? [toRefusedText(found)] : []),
    ...unreadable.map((name) => `The journal ${name} in the state directory was written with a key that this process does not have, so it is not in the ledger. Run this with the ledger.signing of the process that wrote it, or move the file away and keep it.`), // biome-ignore format: one line
  ]
  if (reasons.length === 0) return verdict
  const { entries, archived = 0 } = verdict
  return { intact: false, fault: 'journal', entries, brokenAtSeq: archived + entries + 1, reason: reasons.join(' ') }
}
