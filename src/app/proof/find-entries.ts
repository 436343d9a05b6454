import { existsSync } from 'node:fs'
import { ToolpactError } from '../../contract/toolpact-error.ts'
import { readStoredEntries } from '../../runtime/storage/ledger-archive.ts'
import type { ProofStore, ProvableEntry } from '../../runtime/storage/proof/proof-store.ts'
import type { Storage } from '../../runtime/storage/storage.ts'

/** The entries of a call with their places in the tree: from the database, or from archives that are still there. */
export async function findEntries(
  { ledger, proof }: Pick<Storage, 'ledger'> & { readonly proof: ProofStore },
  callId: string,
): Promise<ProvableEntry[]> {
  const stored = await ledger.read({ callId })
  const entries: ProvableEntry[] = []
  for (const entry of stored) {
    const found = await proof.find(entry)
    if (found) entries.push(found)
  }
  // A call that began before the oldest entry has its first records in an archive.
  if (stored[0]?.record.kind !== 'outcome' && entries.length > 0) return entries
  const base = await proof.base()
  const archived: ProvableEntry[] = []
  for (const { file } of await ledger.archives()) {
    if (!existsSync(file)) continue
    for await (const { seq, text, previous } of readStoredEntries(file))
      if (seq > base && text.includes(callId) && JSON.parse(text).callId === callId)
        archived.push({ seq, index: seq - base - 1, previous, text })
  }
  if (archived.length + entries.length > 0) return [...archived, ...entries]
  throw new ToolpactError('not_found', `No entry of the call ${callId} can be proven: it is not recorded, its archive was moved away, or it was archived before the ledger was sealed.`) // biome-ignore format: one line
}
