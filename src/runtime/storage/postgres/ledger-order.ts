import type { Connection, Query } from './connection.ts'

/** A chain that took no entries for this long is closed: its process ended without doing so, or begins another. */
const leaseSeconds = 600

interface Unordered {
  readonly writer: string
  /** The end of the chain. */
  readonly n: number
  /** Entries up to here have their place. */
  readonly ordered: number
  readonly closed: boolean
}

/**
 * Gives every entry of all chains its place in one order, which never changes: the next entries of one writer, then of the
 * next. One process does so at a time, and no writer waits for it.
 */
export function createLedgerOrder({ tenant, query, transaction }: Connection) {
  async function findUnordered(query: Query): Promise<Unordered[]> {
    return query<Unordered>(unordered, tenant)
  }

  /** Afterwards everything that was acknowledged before has its place. */
  async function order(): Promise<void> {
    if ((await findUnordered(query)).length > 0) await transaction((query) => orderAll(query, ''))
  }

  /** The same in the background: leaves it to another process that is at it. Also closes abandoned chains. */
  async function orderSome(): Promise<void> {
    await query(closeAbandoned, tenant, leaseSeconds)
    if ((await findUnordered(query)).length > 0) await transaction((query) => orderAll(query, 'SKIP LOCKED'))
  }

  async function orderAll(query: Query, locking: string): Promise<void> {
    const lock = `SELECT seq FROM ledger_head WHERE tenant = $1 FOR UPDATE ${locking}`
    const [head] = await query<{ seq: number }>(lock, tenant)
    if (!head) return
    let { seq } = head
    for (const { writer, n, ordered, closed } of await findUnordered(query)) {
      const runs = await query<{ month: number; first: number; count: number }>(findRuns, tenant, writer, ordered, n)
      for (const { month, first, count } of runs) {
        await query(
          'INSERT INTO ledger_runs VALUES ($1, $2, $3, $4, $5, $6)',
          tenant,
          seq + 1,
          count,
          writer,
          first,
          month,
        )
        seq += count
      }
      await query(noteOrdered, tenant, writer, n)
      const settle =
        'UPDATE ledger_writers SET is_settled = true WHERE tenant = $1 AND writer = $2 AND is_closed AND n = $3'
      if (closed) await query(settle, tenant, writer, n)
    }
    await query('UPDATE ledger_head SET seq = $2 WHERE tenant = $1', tenant, seq)
  }

  return { order, orderSome }
}

const unordered = `
  SELECT own.writer, own.n, coalesce(ordered.n, 0) AS ordered, own.is_closed AS closed
  FROM ledger_writers AS own LEFT JOIN ledger_ordered AS ordered ON ordered.tenant = own.tenant AND ordered.writer = own.writer
  WHERE own.tenant = $1 AND NOT own.is_settled AND (own.is_closed OR own.n > coalesce(ordered.n, 0))
  ORDER BY own.opened_at, own.writer
`

/** Entries of one month are in one partition, and so is a run. */
const findRuns = `
  SELECT month, min(n) AS first, count(*) AS count FROM ledger
  WHERE tenant = $1 AND writer = $2 AND n > $3 AND n <= $4 GROUP BY month ORDER BY min(n)
`

const noteOrdered = `
  INSERT INTO ledger_ordered VALUES ($1, $2, $3) ON CONFLICT (tenant, writer) DO UPDATE SET n = excluded.n
`

const closeAbandoned = `
  UPDATE ledger_writers SET is_closed = true
  WHERE tenant = $1 AND NOT is_settled AND NOT is_closed AND seen_at < now() - make_interval(secs => $2)
`
