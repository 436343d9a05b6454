import type { Ledger } from '../storage/storage.ts'

/** From this many on, people are offered a rule in place of further questions. */
export const offerRuleAfter = 3

/** Entries of the tool that are searched: enough for a habit, and a few milliseconds in a long ledger. */
const maxEntries = 1000

/** How often people approved exactly this call: the same tool and input, by any caller. `--yes` does not count. */
export async function countSameApprovals(
  ledger: Pick<Ledger, 'read'>,
  { tool, inputDigest }: { readonly tool: string; readonly inputDigest: string },
): Promise<number> {
  const entries = await ledger.read({ tool, last: maxEntries })
  return entries.filter(
    ({ record }) =>
      record.kind === 'intent' &&
      record.inputDigest === inputDigest &&
      record.approval?.answer === 'yes' &&
      record.approval.via !== '--yes',
  ).length
}
