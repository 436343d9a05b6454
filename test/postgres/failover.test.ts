import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { until, useServeFolders } from '../helpers/open-serve.ts'
import { hasPostgres, openPostgresCluster, openStandby } from '../helpers/postgres-cluster.ts'
import { startLoad } from './load.ts'

const openServeFolder = useServeFolders()

test.skipIf(!hasPostgres)(
  'a primary that is killed under load, and a synchronous standby that is promoted, lose no acknowledged call, exceed no limit and use no yes twice, and the proof verifies',
  async () => {
    // Opened here, so that a repeated test does not find the primary that the first one killed.
    const primary = await openPostgresCluster()
    onTestFinished(() => primary.remove())
    const standby = await openStandby(primary)
    onTestFinished(() => standby.remove())
    const url = `postgres://postgres@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres`
    const load = await startLoad({ openServeFolder, url, tenant: 'failover', questions: 6 })
    await until(() => load.acknowledged.length > 100)
    await sleep(Math.random() * 500)
    primary.kill()
    const before = load.acknowledged.length
    await sleep(500 + Math.random() * 1000)
    standby.promote()
    // Servers find the new primary by themselves.
    await until(() => load.acknowledged.length > before + 100)
    await load.end(standby.url)
    expect(load.acknowledged.length).toBeGreaterThan(before + 100)
  },
)
