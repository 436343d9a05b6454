import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createWaitingApprover } from '../../src/runtime/approval/queue-approvers.ts'
import { openConnection } from '../../src/runtime/storage/postgres/connection.ts'
import { openPostgresStorage } from '../../src/runtime/storage/postgres/postgres.ts'
import { until } from '../helpers/open-serve.ts'
import { defineEcho, openTestPipeline } from '../helpers/open-test-pipeline.ts'
import { hasPostgres, openPostgresCluster } from '../helpers/postgres-cluster.ts'

const cluster = hasPostgres ? await openPostgresCluster() : undefined
afterAll(() => cluster?.remove())

/** A waiting call looks ten times a second, so that it continues within two seconds. */
const maxLooks = 20

test.skipIf(!hasPostgres)(
  'a call that misses every notice continues soon after its question was answered elsewhere',
  async () => {
    let looks = 0
    const options = { url: cluster!.url, tenant: 'polling' }
    const deaf = await openPostgresStorage(options, (given) => {
      const connection = openConnection(given)
      const query: typeof connection.query = (text, ...values) => {
        if (/is_used.* FROM questions WHERE tenant = \$1 AND id = \$2$/s.test(text)) looks += 1
        return connection.query(text, ...values)
      }
      return { ...connection, query, listen: () => {} }
    })
    const other = await openPostgresStorage(options)
    onTestFinished(async () => {
      await deaf.close()
      await other.close()
    })
    const { approvals } = deaf
    const { call } = openTestPipeline([defineEcho({ risk: 'safe_write' })], { storage: deaf, approver: createWaitingApprover({ approvals, waitMs: 60_000, keepMs: 60_000 }) }) // biome-ignore format: one line
    const calling = call('test.echo', { text: 'a' })
    await until(async () => looks > 2 && (await other.approvals.questions(Date.now())).length === 1)
    const [question] = await other.approvals.questions(Date.now())
    expect(await other.approvals.answer(question!.id, { answer: 'yes', by: 'Ada' }, Date.now())).toMatchObject({ taken: true, isAwaited: true }) // biome-ignore format: one line
    const before = looks
    expect(await calling).toMatchObject({ success: true })
    expect(looks - before).toBeLessThan(maxLooks)
  },
)
