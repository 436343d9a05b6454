import { maxSignIns, type SignIns, type StoredSignIn } from '../sign-ins.ts'
import type { Connection } from './connection.ts'

/** Each statement locks its rows, so that one of any number of replicas takes a link. */
export function openPostgresSignIns({ tenant, query }: Connection): SignIns {
  return {
    async add({ kind, hash, person, rights, tokenDigest, expiresAt }, now) {
      const about = JSON.stringify({ person, rights, tokenDigest })
      await query('DELETE FROM sign_ins WHERE tenant = $1 AND expires_at <= $2', tenant, now)
      await query(addOne, tenant, kind, hash, about, expiresAt)
      await query(dropOldest, tenant, kind, maxSignIns)
    },
    async find({ kind, hash }, now) {
      return toSignIn(await query(`SELECT ${columns} FROM sign_ins WHERE ${isLive}`, tenant, kind, hash, now))
    },
    async take({ kind, hash }, now) {
      return toSignIn(await query(`DELETE FROM sign_ins WHERE ${isLive} RETURNING ${columns}`, tenant, kind, hash, now))
    },
  }
}

const columns = 'kind, hash, about, expires_at AS "expiresAt"'
const isLive = 'tenant = $1 AND kind = $2 AND hash = $3 AND expires_at > $4'
const addOne = `
  INSERT INTO sign_ins (tenant, kind, hash, turn, about, expires_at)
  VALUES ($1, $2, $3, (SELECT coalesce(max(turn), 0) + 1 FROM sign_ins WHERE tenant = $1), $4, $5)
`
const dropOldest = `
  DELETE FROM sign_ins WHERE tenant = $1 AND kind = $2 AND turn <= (
    SELECT turn FROM sign_ins WHERE tenant = $1 AND kind = $2 ORDER BY turn DESC OFFSET $3 LIMIT 1
  )
`

function toSignIn([row]: object[]): StoredSignIn | undefined {
  if (!row) return undefined
  const { about, ...key } = row as Pick<StoredSignIn, 'kind' | 'hash' | 'expiresAt'> & { readonly about: string }
  return { ...key, ...JSON.parse(about) }
}
