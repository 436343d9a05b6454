import type { OperatorState } from '../operator-state.ts'
import type { Storage } from '../storage.ts'
import type { PostgresStorageOptions } from './postgres.ts'

export type { PostgresStorageOptions } from './postgres.ts'

/** Stores everything in Postgres, for any number of processes on any number of machines. Loads its client only now. */
export async function openPostgresStorage(options: PostgresStorageOptions): Promise<Storage> {
  return (await import('./postgres.ts')).openPostgresStorage(options)
}

/** Only what operators decided. It needs no closing. */
export async function openPostgresState(
  options: Pick<PostgresStorageOptions, 'url' | 'tenant'>,
): Promise<OperatorState> {
  return (await import('./postgres.ts')).openPostgresStateOnly(options)
}
