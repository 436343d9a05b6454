import { maxSignIns, type SignIns, type StoredSignIn } from '../sign-ins.ts'
import type { Connection } from './connection.ts'

/** Each statement locks its rows, so that one of any number of replicas takes a link. */
export function openPostgresSignIns({ tenant, query }: Connection): SignIns {
  return {
    async add({ kind, hash, expiresAt, ...about }, now) {
      await query('DELETE FROM sign_ins WHERE tenant = $1 AND expires_at <= $2', tenant, now)
      await query(addOne, tenant, kind, hash, JSON.stringify(about), expiresAt)
      await query(dropOldest, tenant, kind, maxSignIns)
    },
    async find({ kind, hash }, now) {
      const [row] = await query<Row>(`SELECT ${columns} FROM sign_ins WHERE ${isLive}`, tenant, kind, hash, now)
      return row && toSignIn(row)
    },
    async take({ kind, hash }, now) {
      const drop = `DELETE FROM sign_ins WHERE ${isLive} RETURNING ${columns}`
      const [row] = await query<Row>(drop, tenant, kind, hash, now)
      return row && toSignIn(row)
    },
    async list(kind, now) {
      const all = `SELECT ${columns} FROM sign_ins WHERE tenant = $1 AND kind = $2 AND expires_at > $3 ORDER BY turn`
      return (await query<Row>(all, tenant, kind, now)).map(toSignIn)
    },
    async renew({ kind, hash, expiresAt, ...about }, now) {
      const change = `UPDATE sign_ins SET about = $5, expires_at = $6 WHERE ${isLive} RETURNING true AS changed`
      return (await query(change, tenant, kind, hash, now, JSON.stringify(about), expiresAt)).length > 0
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

type Row = Pick<StoredSignIn, 'kind' | 'hash' | 'expiresAt'> & { readonly about: string }

function toSignIn({ about, ...key }: Row): StoredSignIn {
  return { ...key, ...JSON.parse(about) }
}
