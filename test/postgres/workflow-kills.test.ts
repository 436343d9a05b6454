import { afterAll, expect, test, vi } from 'vitest'
import { hasPostgres, openPostgresCluster } from '../helpers/postgres-cluster.ts'
import { killWorkflows } from '../helpers/workflow-kills.ts'

const cluster = hasPostgres ? await openPostgresCluster() : undefined
afterAll(() => cluster?.remove())

const runs = Number(process.env.WORKFLOW_RUNS ?? 180)

test.skipIf(!hasPostgres)(
  'two processes on Postgres that are killed at random complete every run of five steps, each step once',
  async () => {
    vi.stubEnv('TOOLPACT_POSTGRES', cluster!.url)
    vi.stubEnv('TOOLPACT_TENANT', 'workflows')
    expect(await killWorkflows({ runs, kills: runs / 12 })).toBeGreaterThanOrEqual(runs)
  },
)
