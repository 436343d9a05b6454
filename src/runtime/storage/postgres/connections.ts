import { type Connections, maxConnections, type StoredConnection } from '../connections.ts'
import type { Connection } from './connection.ts'

/** Each statement locks its row, so that one of any number of replicas gets the lease. */
export function openPostgresConnections({ tenant, query }: Connection): Connections {
  return {
    async find({ owner, server }) {
      return (await query(`SELECT ${columns} FROM connections WHERE ${isKey}`, tenant, owner, server)).map(toStored)[0]
    },
    async list({ owner, server } = {}) {
      return (await query(listAll, tenant, owner ?? null, server ?? null)).map(toStored)
    },
    async save({ owner, server, issuer, sealed, connectedAt }) {
      return (await query(save, tenant, owner, server, issuer, sealed, connectedAt, maxConnections)).length === 1
    },
    async lease({ owner, server }, { version, holder, until }, now) {
      return (await query(lease, tenant, owner, server, version, holder, until, now)).length === 1
    },
    async replace({ owner, server }, { version, sealed, renewedAt, fault }) {
      return (await query(replace, tenant, owner, server, version, sealed, renewedAt, fault ?? null)).length === 1
    },
    async remove({ owner, server }) {
      return (
        (await query(`DELETE FROM connections WHERE ${isKey} RETURNING server`, tenant, owner, server)).length === 1
      )
    },
  }
}

const columns =
  'owner, server, issuer, sealed, connected_at AS "connectedAt", renewed_at AS "renewedAt", version::int AS version, fault'
const isKey = 'tenant = $1 AND owner = $2 AND server = $3'
const listAll = `
  SELECT ${columns} FROM connections WHERE tenant = $1 AND ($2::text IS NULL OR owner = $2)
  AND ($3::text IS NULL OR server = $3) ORDER BY owner COLLATE "C", server COLLATE "C"
`
const save = `
  INSERT INTO connections (tenant, owner, server, issuer, sealed, connected_at, version)
  SELECT $1, $2, $3, $4, $5, $6, 1 WHERE (SELECT count(*) FROM connections WHERE NOT (${isKey}) AND tenant = $1) < $7
  ON CONFLICT (tenant, owner, server) DO UPDATE SET issuer = $4, sealed = $5, connected_at = $6,
    version = connections.version + 1, renewed_at = NULL, fault = NULL, holder = NULL, lease_until = NULL
  RETURNING server
`
const lease = `
  UPDATE connections SET holder = $5, lease_until = $6 WHERE ${isKey} AND version = $4
  AND (holder IS NULL OR holder = $5 OR lease_until <= $7) RETURNING server
`
const replace = `
  UPDATE connections SET sealed = $5, renewed_at = $6, fault = $7, version = version + 1, holder = NULL, lease_until = NULL
  WHERE ${isKey} AND version = $4 RETURNING server
`

function toStored(row: object): StoredConnection {
  const { renewedAt, fault, ...rest } = row as StoredConnection & { renewedAt: number | null; fault: string | null }
  return { ...rest, ...(renewedAt !== null && { renewedAt }), ...(fault !== null && { fault }) }
}
