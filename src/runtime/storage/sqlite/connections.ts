import { type ConnectionKey, type Connections, maxConnections, type StoredConnection } from '../connections.ts'
import type { Database } from './database.ts'
import type { GroupCommit } from './group-commit.ts'
import { connectionsVersion } from './later-schema.ts'
import { toStorageError } from './sqlite-error.ts'

/** Owners and servers are stored as JSON, because SQLite truncates text at a NUL character. */
export function openSqliteConnections(database: Database, commits: GroupCommit): Connections {
  function read(where: string, ...values: readonly string[]): StoredConnection[] {
    if (database.version < connectionsVersion) return []
    try {
      return database
        .sql(`SELECT ${columns} FROM connections ${where}`)
        .all(...values)
        .map(toStored)
    } catch (error) {
      throw toStorageError(error, database.path)
    }
  }

  /** Tokens that were renewed must survive a power failure: the issuer has forgotten the old ones. */
  async function write<Value>(work: () => Value): Promise<Value> {
    const batch = commits.next()
    batch.durable = true
    return batch.add(work)
  }

  return {
    find: async (key) => read('WHERE owner = ? AND server = ?', ...toKey(key))[0],
    async list({ owner, server } = {}) {
      const found = read('WHERE (?1 IS NULL OR owner = ?1) AND (?2 IS NULL OR server = ?2) ORDER BY owner, server', toText(owner), toText(server)) // biome-ignore format: one line
      return found
    },
    save: ({ owner, server, issuer, sealed, connectedAt }) =>
      write(() => {
        const key = toKey({ owner, server })
        const { count } = database.sql('SELECT count(*) AS count FROM connections WHERE NOT (owner = ? AND server = ?)').get(...key) as { count: number } // biome-ignore format: one line
        if (count >= maxConnections) return false
        database.sql(save).run(...key, issuer, sealed, connectedAt)
        return true
      }),
    lease: async (key, { version, holder, until }, now) =>
      commits.next().add(() => database.sql(lease).run(...toKey(key), version, holder, until, now).changes === 1),
    replace: (key, { version, sealed, renewedAt, fault }) =>
      write(() => database.sql(replace).run(...toKey(key), version, sealed, renewedAt, fault ?? null).changes === 1),
    remove: (key) =>
      write(
        () => database.sql('DELETE FROM connections WHERE owner = ? AND server = ?').run(...toKey(key)).changes === 1,
      ),
  }
}

const columns = 'owner, server, issuer, sealed, connected_at, renewed_at, version, fault'
const save = `
  INSERT INTO connections (owner, server, issuer, sealed, connected_at, version) VALUES (?1, ?2, ?3, ?4, ?5, 1)
  ON CONFLICT (owner, server) DO UPDATE SET issuer = ?3, sealed = ?4, connected_at = ?5, version = version + 1,
    renewed_at = NULL, fault = NULL, holder = NULL, lease_until = NULL
`
const lease = `
  UPDATE connections SET holder = ?4, lease_until = ?5 WHERE owner = ?1 AND server = ?2 AND version = ?3
  AND (holder IS NULL OR holder = ?4 OR lease_until <= ?6)
`
const replace = `
  UPDATE connections SET sealed = ?4, renewed_at = ?5, fault = ?6, version = version + 1, holder = NULL, lease_until = NULL
  WHERE owner = ?1 AND server = ?2 AND version = ?3
`

function toKey({ owner, server }: ConnectionKey): [string, string] {
  return [JSON.stringify(owner), JSON.stringify(server)]
}

function toText(value: string | undefined): string {
  return (value === undefined ? null : JSON.stringify(value)) as string
}

function toStored(row: { readonly [column: string]: unknown }): StoredConnection {
  const { owner, server, issuer, sealed, connected_at, renewed_at, version, fault } = row
  return {
    owner: JSON.parse(owner as string),
    server: JSON.parse(server as string),
    issuer: issuer as string,
    sealed: sealed as string,
    connectedAt: connected_at as number,
    version: version as number,
    ...(renewed_at !== null && { renewedAt: renewed_at as number }),
    ...(fault !== null && { fault: fault as string }),
  }
}
