import { type ConnectionKey, type ConnectionLease, type Connections, maxConnections, type StoredConnection } from '../connections.ts' // biome-ignore format: one line

export function openMemoryConnections(mustBeOpen: () => void = () => {}): Connections {
  const all = new Map<string, StoredConnection & { lease?: Pick<ConnectionLease, 'holder' | 'until'> }>()
  const toKey = ({ owner, server }: ConnectionKey) => JSON.stringify([owner, server])
  const at = (key: ConnectionKey, version: number) => {
    mustBeOpen()
    const found = all.get(toKey(key))
    return found?.version === version ? found : undefined
  }
  return {
    async find(key) {
      mustBeOpen()
      const found = all.get(toKey(key))
      return found && toStored(found)
    },
    async list({ owner, server } = {}) {
      mustBeOpen()
      const chosen = [...all.values()].filter(
        (one) => (owner === undefined || one.owner === owner) && (server === undefined || one.server === server),
      )
      return chosen.map(toStored).sort((one, other) => compare(one.owner, other.owner) || compare(one.server, other.server)) // biome-ignore format: one line
    },
    async save(connection) {
      mustBeOpen()
      const key = toKey(connection)
      const before = all.get(key)
      if (!before && all.size >= maxConnections) return false
      all.set(key, { ...connection, version: (before?.version ?? 0) + 1 })
      return true
    },
    async lease(key, { version, holder, until }, now) {
      const found = at(key, version)
      if (!found || (found.lease && found.lease.holder !== holder && found.lease.until > now)) return false
      found.lease = { holder, until }
      return true
    },
    async replace(key, { version, sealed, renewedAt, fault }) {
      const found = at(key, version)
      if (!found) return false
      const { lease: _, fault: _before, ...rest } = found
      all.set(toKey(key), { ...rest, sealed, renewedAt, version: version + 1, ...(fault !== undefined && { fault }) })
      return true
    },
    async remove(key) {
      mustBeOpen()
      return all.delete(toKey(key))
    },
  }
}

function toStored({ lease: _, ...stored }: StoredConnection & { lease?: unknown }): StoredConnection {
  return stored
}

function compare(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other))
}
