import { afterAll, describe, test } from 'vitest'
import { openPostgresStorage } from '../../src/runtime/storage/postgres/postgres.ts'
import { testStorage } from '../../src/runtime/storage/suite/suite.ts'
import { hasPostgres, openPostgresCluster } from '../helpers/postgres-cluster.ts'

const cluster = hasPostgres ? await openPostgresCluster() : undefined
afterAll(() => cluster?.remove())

// Each storage of the suite is a tenant of one database.
const open = (tenant: string) => openPostgresStorage({ url: cluster!.url, tenant, clock: 'caller' })
const module = new URL(`../processes/open-postgres.ts?url=${encodeURIComponent(cluster?.url ?? '')}`, import.meta.url)

describe.skipIf(!hasPostgres)('postgres', () => testStorage({ test, open, module }))
