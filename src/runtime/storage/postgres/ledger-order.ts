import type { Connection, Query } from './connection.ts'

/** A chain that took no entries for this long is closed: its process ended without doing so, or begins another. */
const defaultLeaseSeconds = 600

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
export function createLedgerOrder(
  { tenant, query, transaction }: Connection,
  { leaseSeconds = defaultLeaseSeconds }: { readonly leaseSeconds?: number } = {},
) {
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
    const chains = await findUnordered(query)
    const [writers, starts, ends] = [
      chains.map(({ writer }) => writer),
      chains.map(({ ordered }) => `${ordered}`),
      chains.map(({ n }) => `${n}`),
    ]
    const [placed] = await query<{ count: number }>(placeRuns, tenant, head.seq, writers, starts, ends)
    await query(noteOrdered, tenant, writers, ends)
    if (chains.some(({ closed }) => closed)) await query(settle, tenant, writers, ends)
    const seq = head.seq + placed!.count
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

/**
 * Entries of one month are in one partition, and so is a run. A fixed number of statements for any number of chains: with some
 * for each, a hundred replicas kept the order locked most of the time.
 */
const placeRuns = `
  WITH run AS (
    SELECT chain.place, chain.writer, own.month, own.first, own.count
    FROM unnest($3::text[], $4::text[], $5::text[]) WITH ORDINALITY AS chain (writer, ordered, n, place) CROSS JOIN LATERAL (
      SELECT month, min(n) AS first, count(*) AS count FROM ledger
      WHERE tenant = $1 AND writer = chain.writer AND n > chain.ordered::bigint AND n <= chain.n::bigint GROUP BY month
    ) AS own
  ), added AS (
    INSERT INTO ledger_runs (tenant, seq, count, writer, n, month)
    SELECT $1, $2::bigint + 1 + sum(count) OVER (ORDER BY place, first) - count, count, writer, first, month FROM run
    RETURNING count
  ) SELECT coalesce(sum(count), 0)::bigint AS count FROM added
`

const noteOrdered = `
  INSERT INTO ledger_ordered SELECT $1, chain.writer, chain.n::bigint FROM unnest($2::text[], $3::text[]) AS chain (writer, n)
  ON CONFLICT (tenant, writer) DO UPDATE SET n = excluded.n
`

const settle = `
  UPDATE ledger_writers AS own SET is_settled = true FROM unnest($2::text[], $3::text[]) AS chain (writer, n)
  WHERE own.tenant = $1 AND own.writer = chain.writer AND own.is_closed AND own.n = chain.n::bigint
`

const closeAbandoned = `
  UPDATE ledger_writers SET is_closed = true
  WHERE tenant = $1 AND NOT is_settled AND NOT is_closed AND seen_at < now() - make_interval(secs => $2)
`
