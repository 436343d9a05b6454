import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measureApprovals } from './growth/approvals.ts'
import { measureLedger } from './growth/ledger.ts'
import { measureSessions } from './growth/sessions.ts'
import type { About, Table } from './table.ts'

export const about: About = {
  compares:
    'What an operation costs as there is more of what it works on: entries of the ledger, questions that wait, sessions. `--entries=10000000` lets the ledger grow further. [rules](#rules), [serve](#serve) (tools), [search](#search) (files), [scale](#scale) (ledgers on Postgres, verification) and [steady](#steady) (an hour of calls) have tables of the same kind.',
}

export async function* bench(): AsyncGenerator<Table> {
  const root = mkdtempSync(join(tmpdir(), 'toolpact-bench-'))
  try {
    yield await measureLedger(root)
    yield* measureApprovals(root)
    yield await measureSessions()
  } finally {
    rmSync(root, { recursive: true })
  }
}
