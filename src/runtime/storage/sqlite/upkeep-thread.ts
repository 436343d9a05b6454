/** Runs in a thread beside the process that writes: see `upkeep.ts`. A failure ends it. */
import { parentPort, workerData } from 'node:worker_threads'
import { trackHealth } from '../health.ts'
import { extendOnce, leavesAtOnce } from '../proof/sealer.ts'
import { openDatabase } from './database.ts'
import { createGroupCommit } from './group-commit.ts'
import { keepImported } from './imported-hashes.ts'
import { openJournal } from './journal.ts'
import { openJournalKeys } from './journal-key.ts'
import { openSqliteLedger } from './ledger.ts'
import { openHeadNote } from './ledger-head.ts'
import { createLedgerReader } from './ledger-reader.ts'
import { openSqliteProof } from './proof.ts'
import { openRefusedLines } from './refused-lines.ts'
import type { UpkeepAnswer, UpkeepPlace } from './upkeep.ts'
import { shareWriteTurns } from './write-turns.ts'

const { directory, owner, lockTimeoutMs, secret, turns } = workerData as UpkeepPlace
const database = openDatabase({ directory, lockTimeoutMs, report() {} })
const note = openHeadNote(directory)
const imported = keepImported()
const commits = createGroupCommit(database, { health: trackHealth(), turns: shareWriteTurns(turns) })
const { ledger, indexImported, takenOf } = openSqliteLedger(database, commits, {
  journal: openJournal(directory, openJournalKeys(database, secret && (async () => secret))),
  note,
  fsyncAll: false,
  report() {},
  watch: () => () => {},
  refusedLines: openRefusedLines(directory, () => {}),
  archiveFolder: undefined,
  imported,
})
/** Adds what is imported, since `work` has just imported what there is. */
const proof = openSqliteProof(database, commits, {
  reader: createLedgerReader(database, { note }),
  async importJournals() {},
  imported,
})
parentPort!.on('message', () => {
  working = working.then(work)
})
let working = Promise.resolve()
answer()

async function work() {
  const { seq } = await ledger.head()
  answer()
  await indexImported()
  await growTree(seq)
  commits.checkpoint()
}

/** The rest is added when the ledger is sealed. */
async function growTree(seq: number) {
  const base = await proof.base()
  for (let left = seq - base - (await proof.tree()).size; left >= leavesAtOnce; left -= leavesAtOnce)
    await extendOnce(proof)
}

function answer() {
  parentPort!.postMessage({ taken: takenOf({ owner }) } satisfies UpkeepAnswer)
}
