import type { Toolpact } from '../../app/app.ts'
import type { LedgerVerification } from '../../app/proof/ledger-proof.ts'
import { printable, printableJson } from '../../contract/text/printable.ts'
import { verifyArchive } from '../../runtime/storage/ledger-archive.ts'
import type { Ledger, LedgerVerdict } from '../../runtime/storage/storage.ts'
import { type Request, UsageError } from '../options/command.ts'
import { toLocalTime } from '../terminal/columns.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { type Line, paint } from '../terminal/terminal.ts'

/** Checkpoints to compare with, from a file. */
interface Kept {
  readonly place: string
  readonly text: string
}

/** Verifies the ledger, starting after the last archived entry: its chain, and its checkpoints if it has any. */
export async function verifyLedger(
  { ledger, proof }: Pick<Toolpact, 'ledger' | 'proof'>,
  { options, terminal }: Request,
  kept: readonly Kept[] = [],
): Promise<number> {
  const { full, offline = false } = options
  const found = await proof?.verify({ ...(full && { full }), offline, kept })
  const chain = found?.chain ?? (await ledger.verify())
  const intact = found?.intact ?? chain.intact
  if (options.json) terminal.print(printableJson(toJson(chain, found)))
  else {
    if (chain.intact) terminal.print(toIntact(chain, found))
    else terminal.log([paint('red', '✗ '), toFault(chain)], toRest(chain))
    for (const { reason } of found?.seals.faults ?? []) terminal.log([paint('red', '✗ '), printable(reason)])
    if (found && chain.intact && !intact) terminal.log(advice)
    if (found && intact) terminal.print(...toSealed(found, chain))
    if (found) terminal.log(...toNotes(found))
  }
  return intact ? exitCodes.success : exitCodes.failed
}

const archivePlace = 'Archives are under archive/ in the state directory, or in ledger.archiveFolder of the config.'
const advice = 'Compare it with a backup, and find out who could write to it.'

function toJson(chain: LedgerVerdict, found: LedgerVerification | undefined) {
  if (!found) return chain
  const { seals, places, isLocalKey, limits, intact } = found
  const { newest, ...rest } = seals
  const seal = { ...rest, newest: newest && { origin: newest.origin, size: newest.size, at: new Date(newest.at).toISOString() }, isLocalKey, places, limits } // biome-ignore format: one line
  const [fault] = seals.faults
  // The chain can be intact although the ledger is not the one that was sealed.
  return chain.intact && !intact ? { ...chain, intact, ...fault, seal } : { ...chain, seal }
}

function toIntact(chain: Extract<LedgerVerdict, { intact: true }>, found: LedgerVerification | undefined): Line {
  const archived = chain.archived === undefined ? '' : ` after ${chain.archived} archived`
  const before = found && found.seals.from > 0 ? ` The first ${found.seals.from} were verified before, and their texts were not read again: --full does.` : '' // biome-ignore format: one line
  const name = found && !found.intact ? 'The chain of the ledger' : 'The ledger'
  return [paint('green', '✓ '), `${name} is intact: ${toCount(chain.entries)}${archived}, head ${chain.head}.${before}`]
}

function toSealed({ seals }: LedgerVerification, chain: LedgerVerdict): Line[] {
  const { newest, checkpoints, keys } = seals
  if (!newest) return chain.entries > 0 ? ['Nothing is sealed yet: no checkpoint was signed.'] : []
  const entries = chain.entries + (chain.intact ? (chain.archived ?? 0) : 0)
  const unsealed = entries - newest.size
  const rest = unsealed > 0 ? ` Of ${unsealed === 1 ? 'the newest entry' : `the newest ${unsealed} entries`} there is no checkpoint yet.` : '' // biome-ignore format: one line
  const compared = checkpoints === 1 ? '1 checkpoint' : `${checkpoints} checkpoints`
  const signers = keys.map((key) => printable(key)).join(', ')
  return [
    [paint('green', '✓ '), `It matches ${compared}, signed by ${signers}. The newest covers ${toCount(newest.size)}, at ${toLocalTime(new Date(newest.at).toISOString())}.${rest}`], // biome-ignore format: one line
  ]
}

function toNotes({ places, limits, intact }: LedgerVerification): Line[] {
  return [
    ...places.map(({ place, checkpoints, fault }): Line => {
      if (fault !== null) return [paint('yellow', '! '), `What ${printable(place)} keeps was not compared: ${printable(fault)}.`] // biome-ignore format: one line
      return checkpoints > 0 ? [paint('dim', '  '), `Compared with ${printable(place)}.`] : [paint('yellow', '! '), `${printable(place)} keeps no checkpoint of this ledger.`] // biome-ignore format: one line
    }),
    ...(intact ? limits : []).map((limit): Line => [paint('yellow', 'Note: '), limit]),
  ]
}

function toFault({ fault, brokenAtSeq, reason }: Extract<LedgerVerdict, { intact: false }>): string {
  return fault === 'chain' ? `The ledger is broken at entry ${brokenAtSeq}: ${reason}` : printable(reason)
}

function toRest({ fault, entries }: Extract<LedgerVerdict, { intact: false }>): string {
  if (fault === 'journal') return `The chain of the ledger is intact: ${toCount(entries)}.`
  if (fault === 'chain') return `Intact before it: ${toCount(entries)}. ${advice}`
  return entries === 0 ? `It is empty now. ${advice}` : `What it has now is intact: ${toCount(entries)}. ${advice}`
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
