/** Runs in a thread beside the process that writes: see `upkeep.ts`. A failure ends it. */
import { parentPort, workerData } from 'node:worker_threads'
import { trackHealth } from '../health.ts'
import { extendTree } from '../proof/sealer.ts'
import { openDatabase } from './database.ts'
import { createGroupCommit } from './group-commit.ts'
import { openJournal } from './journal.ts'
import { openJournalKeys } from './journal-key.ts'
import { openSqliteLedger } from './ledger.ts'
import { openHeadNote } from './ledger-head.ts'
import { createLedgerReader } from './ledger-reader.ts'
import { openSqliteProof } from './proof.ts'
import { openRefusedLines } from './refused-lines.ts'
import type { UpkeepAnswer, UpkeepPlace } from './upkeep.ts'
import { shareWriteTurns } from './write-turns.ts'

/** The rest is added when the ledger is sealed. */
const leavesAtOnce = 1024

const { directory, owner, lockTimeoutMs, secret, turns } = workerData as UpkeepPlace
const database = openDatabase({ directory, lockTimeoutMs, report() {} })
const note = openHeadNote(directory)
const commits = createGroupCommit(database, { health: trackHealth(), turns: shareWriteTurns(turns) })
const { ledger, indexImported, takenOf } = openSqliteLedger(database, commits, {
  journal: openJournal(directory, openJournalKeys(database, secret && (async () => secret))),
  note,
  fsyncAll: false,
  report() {},
  watch: () => () => {},
  refusedLines: openRefusedLines(directory, () => {}),
  archiveFolder: undefined,
})
/** Adds what is imported, since `work` has just imported what there is. */
const proof = openSqliteProof(database, commits, {
  reader: createLedgerReader(database, { note }),
  async importJournals() {},
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
  const { size } = await proof.tree()
  if (seq - size >= leavesAtOnce) await extendTree(proof)
  commits.checkpoint()
}

function answer() {
  parentPort!.postMessage({ taken: takenOf({ owner }) } satisfies UpkeepAnswer)
}
