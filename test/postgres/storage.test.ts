import { afterAll, describe, test } from 'vitest'
import { openPostgresPool, openPostgresStorage } from '../../src/runtime/storage/postgres/postgres.ts'
import { testStorage } from '../../src/runtime/storage/suite/suite.ts'
import { hasPostgres, openPostgresCluster } from '../helpers/postgres-cluster.ts'

const cluster = hasPostgres ? await openPostgresCluster() : undefined
// As an ordinary user, whom row-level security applies to.
cluster?.psql('CREATE ROLE toolpact LOGIN; GRANT CREATE ON DATABASE postgres TO toolpact')
const url = cluster?.url.replace('postgres@', 'toolpact@') ?? ''
const pool = cluster && openPostgresPool({ url })
afterAll(async () => {
  await pool?.close()
  cluster?.remove()
})

// Each storage of the suite is a tenant of one database.
const open = (tenant: string) => openPostgresStorage({ url, tenant, clock: 'caller' })
const module = new URL(`../processes/open-postgres.ts?url=${encodeURIComponent(url)}`, import.meta.url)

describe.skipIf(!hasPostgres)('postgres', () => testStorage({ test, open, module }))

/** As `toolpact serve` with several tenants does. */
const openShared = (tenant: string) => openPostgresStorage({ url, tenant: `shared-${tenant}`, clock: 'caller', pool: pool! }) // biome-ignore format: one line

describe.skipIf(!hasPostgres)('postgres with shared connections', () => testStorage({ test, open: openShared }))
