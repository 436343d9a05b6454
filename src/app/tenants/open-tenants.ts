import { openSharedPostgres, type TenantDoor } from '../../runtime/storage/postgres/open-postgres.ts'
import type { Pool } from '../../runtime/storage/postgres/pool.ts'
import type { Config } from '../config/config.ts'
import type { ConfigOptions } from '../config/open-config.ts'
import { findPostgres, openServer, openState } from '../open-storage.ts'
import { type Tenants, toTenants } from './tenants.ts'

/** Connections that tenants share. */
export type TenantPool = Pool

/** The tenants of a config, with the config of the server. */
export interface FoundTenants extends Tenants {
  readonly config: Config
}

/** The config of the server that the options choose. Rejects if it cannot be used. */
export async function findServerConfig(options: ConfigOptions): Promise<Config> {
  return (await openServer(options, await openState()))?.config ?? {}
}

/** The tenants of the config that the options choose; undefined if it has none. Rejects if they cannot be served. */
export async function findTenants(options: ConfigOptions): Promise<FoundTenants | undefined> {
  return toFoundTenants(await findServerConfig(options))
}

export function toFoundTenants(config: Config): FoundTenants | undefined {
  const tenants = toTenants(config)
  return tenants && { ...tenants, config }
}

/** What all tenants of one server share. Tenants themselves are opened on its connections. */
export interface SharedStorage {
  readonly pool: TenantPool
  /** What identifies the callers of a tenant. It needs no closing. */
  openDoor(tenant: string): Promise<TenantDoor>
}

export async function openSharedStorage({ config, own, maxConnections }: FoundTenants): Promise<SharedStorage> {
  const keepsReads = config.ledger?.whenUnavailable === 'journal'
  return openSharedPostgres({ url: findPostgres(config, own)!.url, maxConnections, keepsReads })
}
