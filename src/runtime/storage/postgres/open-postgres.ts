import type { OperatorState } from '../operator-state.ts'
import type { Storage } from '../storage.ts'
import type { PooledStorageOptions, PostgresStorageOptions } from './postgres.ts'

export type { PostgresStorageOptions, TenantDoor } from './postgres.ts'

/** Stores everything in Postgres, for any number of processes on any number of machines. Loads its client only now. */
export async function openPostgresStorage(options: PostgresStorageOptions): Promise<Storage> {
  return (await import('./postgres.ts')).openPostgresStorage(options)
}

/** The same on connections that tenants share. */
export async function openPooledStorage(options: PooledStorageOptions): Promise<Storage> {
  return (await import('./postgres.ts')).openPostgresStorage(options)
}

/** Only what operators decided. It needs no closing. */
export async function openPostgresState(
  options: Pick<PostgresStorageOptions, 'url' | 'tenant'>,
): Promise<OperatorState> {
  return (await import('./postgres.ts')).openPostgresStateOnly(options)
}

/** Connections that several tenants of this process share, and what each needs to identify its callers. */
export async function openSharedPostgres(
  options: Pick<PostgresStorageOptions, 'url' | 'maxConnections'> & { readonly keepsReads: boolean },
) {
  const { openPostgresDoor, openPostgresPool } = await import('./postgres.ts')
  const pool = openPostgresPool(options)
  return { pool, openDoor: (tenant: string) => openPostgresDoor(pool, { tenant, keepsReads: options.keepsReads }) }
}
