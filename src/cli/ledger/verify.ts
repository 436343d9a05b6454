import { printable, printableJson } from '../../contract/text/printable.ts'
import { verifyArchive } from '../../runtime/storage/ledger-archive.ts'
import type { Ledger, LedgerVerdict } from '../../runtime/storage/storage.ts'
import { type Request, UsageError } from '../options/command.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { paint } from '../terminal/terminal.ts'

/** Verifies the ledger, starting after the last archived entry. */
export async function verifyLedger(ledger: Ledger, { options, terminal }: Request): Promise<number> {
  const verdict = await ledger.verify()
  if (options.json) terminal.print(printableJson(verdict))
  else if (verdict.intact) {
    const archived = verdict.archived === undefined ? '' : ` after ${verdict.archived} archived`
    terminal.print([paint('green', '✓ '), `The ledger is intact: ${toCount(verdict.entries)}${archived}, head ${verdict.head}.`]) // biome-ignore format: one line
  } else terminal.log([paint('red', '✗ '), toFault(verdict)], `${toRest(verdict)} ${advice}`)
  return verdict.intact ? exitCodes.success : exitCodes.failed
}

const archivePlace = 'Archives are under archive/ in the state directory.'
const advice = 'Compare it with a backup, and find out who could write to it.'

function toFault({ fault, brokenAtSeq, reason }: Extract<LedgerVerdict, { intact: false }>): string {
  return fault === 'chain' ? `The ledger is broken at entry ${brokenAtSeq}: ${reason}` : reason
}

function toRest({ fault, entries }: Extract<LedgerVerdict, { intact: false }>): string {
  if (fault === 'chain') return `Intact before it: ${toCount(entries)}.`
  return entries === 0 ? 'It is empty now.' : `What it has now is intact: ${toCount(entries)}.`
}

/** Verifies an archive, and that this ledger wrote it. */
export async function verifyFile(ledger: Ledger, file: string, { options, terminal }: Request): Promise<number> {
  const verdict = await verifyArchive(file).catch((error: Error) => {
    throw new UsageError(
      `The archive ${printable(file)} cannot be read (${printable(error.message)}).`,
      `Check the path. ${archivePlace}`,
    )
  })
  const { first, last, hash } = verdict.intact ? { first: verdict.after.seq + 1, last: verdict.end.seq, hash: verdict.end.hash } : {} // biome-ignore format: one line
  const known = (await ledger.archives()).find((segment) => segment.first === first)
  const isKnown = known !== undefined && known.last === last && known.hash === hash
  if (options.json) terminal.print(printableJson({ ...verdict, isKnown }))
  else if (!verdict.intact && !verdict.isArchive)
    terminal.log([paint('red', '✗ '), `${printable(file)} is not a Toolpact archive.`], archivePlace)
  else if (!verdict.intact) terminal.log([paint('red', '✗ '), `The archive is broken: ${verdict.reason}`], advice)
  else if (isKnown)
    terminal.print([paint('green', '✓ '), `The archive is intact: entries ${first} to ${last} of this ledger, head ${hash}.`]) // biome-ignore format: one line
  else if (known)
    terminal.log([paint('red', '✗ '), `The archive is intact, but it is not the one that was written for entries ${known.first} to ${known.last} of this ledger.`], advice) // biome-ignore format: one line
  else
    terminal.log([paint('red', '✗ '), `The archive is intact, but it belongs to another ledger: entries ${first} to ${last} of ${printable(verdict.ledger)}, head ${hash}.`], 'To check it against that ledger, set TOOLPACT_STATE_DIR to its state directory.') // biome-ignore format: one line
  return isKnown ? exitCodes.success : exitCodes.failed
}

function toCount(entries: number): string {
  return entries === 1 ? '1 entry' : `${entries} entries`
}
