import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, test } from 'vitest'
import { useServeFolders } from '../helpers/open-serve.ts'
import { hasPostgres, openPostgresCluster } from '../helpers/postgres-cluster.ts'
import { startLoad } from './load.ts'

const cluster = hasPostgres ? await openPostgresCluster() : undefined
afterAll(() => cluster?.remove())

const openServeFolder = useServeFolders()
const rounds = 8

test.skipIf(!hasPostgres)(
  'three servers that are killed at random, and a Postgres that crashes, lose no acknowledged call, exceed no limit and use no yes twice, and the proof verifies',
  async () => {
    const load = await startLoad({ openServeFolder, url: cluster!.url, tenant: `kills-${randomUUID()}`, questions: 12 })
    for (let round = 0; round < rounds; round++) {
      await sleep(300 + Math.random() * 700)
      if (round % 4 === 2) {
        cluster!.stop('immediate')
        await sleep(Math.random() * 1000)
        cluster!.start()
      } else await load.kill(Math.floor(Math.random() * 3))
    }
    await load.end()
  },
)
