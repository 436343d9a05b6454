import { type Claim, type Counters, type Evidence, maxEvidence, type Notes, type Replies } from '../storage.ts'
import type { Connection } from './connection.ts'
import { type Clock, serverMs } from './database-clock.ts'

/**
 * One row per key with the times at which its uses expire, earliest first. Each use is one statement, which locks that row
 * alone: replicas never exceed a limit together.
 */
export function openPostgresCounters({ tenant, query }: Connection, clock: Clock): Counters {
  let takes = 0
  return {
    async take(key, { count, windowMs }, now) {
      const given = clock === 'caller' ? now : null
      if (++takes % sweepEvery === 0) await query(sweepCounters, tenant, given)
      if (count < 1) return { taken: false, retryAfterMs: windowMs }
      const [row] = await query<{ wait: number | null }>(takeOne, tenant, key, windowMs, given, count)
      const { wait } = row!
      return wait === null ? { taken: true } : { taken: false, retryAfterMs: wait }
    },
  }
}

/**
 * The time is read after the row is locked: otherwise a statement that waited for the lock would count with an older one.
 * A use expires later than one window from now only if the clock moved back.
 */
const takeOne = `
  INSERT INTO counters AS own (tenant, key, uses, ends_at)
  SELECT $1, $2, ARRAY[ends], ends FROM (SELECT coalesce($4::float8, ${serverMs}) + $3::float8 AS ends) AS first
  ON CONFLICT (tenant, key) DO UPDATE SET (uses, ends_at, wait_ms) = (
    SELECT CASE WHEN cardinality(live) < $5::int THEN live || (now + $3::float8) ELSE live END, now + $3::float8,
      CASE WHEN cardinality(live) < $5::int THEN NULL ELSE live[cardinality(live) - $5::int + 1] - now END
    FROM (SELECT coalesce($4::float8, ${serverMs}) AS now) AS clock, LATERAL (
      SELECT coalesce(array_agg(least(used, now + $3::float8) ORDER BY used) FILTER (WHERE used > now), '{}') AS live
      FROM unnest(own.uses) AS used
    ) AS counted
  ) RETURNING wait_ms AS wait
`

const sweepEvery = 256
const sweepCounters = `
  DELETE FROM counters WHERE tenant = $1 AND key IN (
    SELECT key FROM counters WHERE tenant = $1 AND ends_at <= coalesce($2::float8, ${serverMs}) LIMIT 1000 FOR UPDATE SKIP LOCKED
  )
`

/** A claim is one statement: the first of any number of replicas gets the key. */
export function openPostgresReplies({ tenant, query }: Connection): Replies {
  let claims = 0
  return {
    async claim(key, inputDigest, { now, expiresAt }): Promise<Claim> {
      if (++claims % sweepEvery === 0) await query(sweepReplies, tenant, now)
      // A key that is released in between is claimed in the next round.
      for (let round = 0; round < 3; round++) {
        const claimed = await query(claimOne, tenant, key, inputDigest, expiresAt, now)
        if (claimed.length > 0) return { state: 'claimed' }
        const find = 'SELECT input_digest AS digest, reply FROM replies WHERE tenant = $1 AND key = $2'
        const [found] = await query<{ digest: string; reply: string | null }>(find, tenant, key)
        if (!found) continue
        if (found.digest !== inputDigest) return { state: 'other_input' }
        return found.reply === null ? { state: 'in_flight' } : { state: 'kept', reply: JSON.parse(found.reply) }
      }
      return { state: 'in_flight' }
    },
    async keep(key, reply) {
      const keeping = 'UPDATE replies SET reply = $3 WHERE tenant = $1 AND key = $2 AND reply IS NULL'
      await query(keeping, tenant, key, JSON.stringify(reply))
    },
    async release(key) {
      await query('DELETE FROM replies WHERE tenant = $1 AND key = $2 AND reply IS NULL', tenant, key)
    },
  }
}

const claimOne = `
  INSERT INTO replies AS own (tenant, key, input_digest, expires_at) VALUES ($1, $2, $3, $4)
  ON CONFLICT (tenant, key) DO UPDATE SET input_digest = $3, expires_at = $4, reply = NULL WHERE own.expires_at <= $5
  RETURNING true AS claimed
`
const sweepReplies = `
  DELETE FROM replies WHERE tenant = $1 AND key IN (
    SELECT key FROM replies WHERE tenant = $1 AND expires_at <= $2 LIMIT 1000 FOR UPDATE SKIP LOCKED
  )
`

export function openPostgresEvidence({ tenant, query }: Connection): Evidence {
  return {
    async keep(callId, text) {
      await query(keepEvidence, tenant, callId, text)
      await query(dropEvidence, tenant, maxEvidence)
    },
    async get(callId) {
      const find = 'SELECT text FROM evidence WHERE tenant = $1 AND call_id = $2'
      const [row] = await query<{ text: string }>(find, tenant, callId)
      return row?.text
    },
  }
}

const keepEvidence = `
  INSERT INTO evidence (tenant, call_id, turn, text)
  VALUES ($1, $2, (SELECT coalesce(max(turn), 0) + 1 FROM evidence WHERE tenant = $1), $3)
  ON CONFLICT (tenant, call_id) DO UPDATE SET turn = excluded.turn, text = excluded.text
`
const dropEvidence = `
  DELETE FROM evidence WHERE tenant = $1
  AND turn <= (SELECT turn FROM evidence WHERE tenant = $1 ORDER BY turn DESC OFFSET $2 LIMIT 1)
`

export function openPostgresNotes({ tenant, query }: Connection): Notes {
  async function get(key: string) {
    const find = 'SELECT value FROM notes WHERE tenant = $1 AND key = $2'
    const [row] = await query<{ value: string }>(find, tenant, key)
    return row && JSON.parse(row.value)
  }
  return {
    get,
    async set(key, value) {
      const keep =
        'INSERT INTO notes VALUES ($1, $2, $3) ON CONFLICT (tenant, key) DO UPDATE SET value = excluded.value'
      await query(keep, tenant, key, JSON.stringify(value))
    },
    async setOnce(key, value) {
      const keep = 'INSERT INTO notes VALUES ($1, $2, $3) ON CONFLICT (tenant, key) DO NOTHING'
      await query(keep, tenant, key, JSON.stringify(value))
      return get(key)
    },
    async replace(key, known, value) {
      const change =
        'UPDATE notes SET value = $4 WHERE tenant = $1 AND key = $2 AND value = $3 RETURNING true AS changed'
      return (await query(change, tenant, key, JSON.stringify(known), JSON.stringify(value))).length > 0
    },
  }
}
