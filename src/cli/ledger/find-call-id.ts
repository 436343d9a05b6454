import type { Ledger, LedgerQuery } from '../../runtime/storage/storage.ts'
import { UsageError } from '../options/command.ts'
import { findCallIds, readCalls } from './calls.ts'

/** So many ids are listed where several begin alike. */
const shown = 5

/** The id that begins so; without a beginning, that of the newest which matches. */
export async function findCallId(ledger: Ledger, prefix: string | undefined, query: LedgerQuery = {}): Promise<string> {
  if (prefix === undefined) {
    const { calls } = await readCalls(ledger, query, 1)
    if (calls[0]) return calls[0].callId
    if (query.tool !== undefined) throw new UsageError(`No run of ${query.tool} is recorded yet.`)
    throw new UsageError('No call is recorded yet.', 'Make one with toolpact call.')
  }
  const found = await findCallIds(ledger, prefix.toLowerCase(), shown)
  if (found.length === 1) return found[0]!
  if (found.length === 0)
    throw new UsageError(`No recorded call has an id that begins with '${prefix}'.`, 'toolpact ledger shows the ids.')
  throw new UsageError(
    `${found.length > shown ? `More than ${shown}` : found.length} calls have an id that begins with '${prefix}'.`,
    `Use more of it: ${found.slice(0, shown).join(', ')}${found.length > shown ? ', …' : ''}.`,
  )
}
