import type { Ledger, LedgerQuery } from '../../runtime/storage/storage.ts'
import { UsageError } from '../options/command.ts'
import { findCallIds, readCalls } from './calls.ts'

/** Max ids listed if the prefix is ambiguous. */
const shown = 5

/** Resolves a prefix to an id; without a prefix, returns the newest match. */
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
    throw new UsageError(
      `No recorded call has an id that starts with '${prefix}'.`,
      'Run `toolpact ledger` to see the ids.',
    )
  throw new UsageError(
    `${found.length > shown ? `More than ${shown}` : found.length} calls have an id that starts with '${prefix}'.`,
    `Use a longer prefix: ${found.slice(0, shown).join(', ')}${found.length > shown ? ', …' : ''}.`,
  )
}
