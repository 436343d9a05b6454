import { afterAll, expect, test } from 'vitest'
import { openPostgresStorage } from '../../src/runtime/storage/postgres/postgres.ts'
import { toIntent } from '../../src/runtime/storage/suite/records.ts'
import { hasPostgres, openPostgresCluster } from '../helpers/postgres-cluster.ts'

const cluster = hasPostgres ? await openPostgresCluster() : undefined
afterAll(() => cluster?.remove())

test.skipIf(!hasPostgres)('verifies only what is new after a position, in the chains of all servers', async () => {
  const [one, other] = await Promise.all([1, 2].map(() => openPostgresStorage({ url: cluster!.url })))
  for (const name of ['a', 'b', 'c']) {
    for (const [index, storage] of [one!, other!].entries())
      for (const part of ['first', 'second'])
        await storage.ledger.append(toIntent(`${name}-${index}-${part}`), { durable: true })
    // Gives them their place, so that each server has a run of its own.
    await one!.ledger.head()
  }
  const all = { intact: true, entries: 12 }
  for (const afterSeq of [0, 1, 5, 8, 11, 12]) expect(await one!.ledger.verify({ afterSeq })).toMatchObject(all)
  const change = (callId: string) => cluster!.psql(`UPDATE toolpact.ledger SET text = text || ' ' WHERE call_id = '${callId}'`) // biome-ignore format: one line
  change('a-0-first')
  expect(await one!.ledger.verify()).toMatchObject({ intact: false, brokenAtSeq: 1 })
  expect(await one!.ledger.verify({ afterSeq: 5 })).toMatchObject(all)
  change('c-1-first')
  expect(await one!.ledger.verify({ afterSeq: 5 })).toMatchObject({ intact: false, brokenAtSeq: 11 })
  await one!.close()
  await other!.close()
})
