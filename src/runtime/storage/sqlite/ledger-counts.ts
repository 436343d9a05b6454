import type { StatementSync } from 'node:sqlite'
import { countSpans } from '../count-spans.ts'
import { addHistogram } from '../histogram.ts'
import type { Counted, CountedTool, Tally } from '../tally.ts'

type Sql = (text: string) => StatementSync

/** Adds the counts of indexed entries. Must run within a transaction. */
export function storeCounts(sql: Sql, { spans, tools }: Tally): void {
  let newest = 0
  for (const { spanMs } of countSpans)
    for (const counted of spans(spanMs)) {
      addSpan(sql, spanMs, counted)
      newest = Math.max(newest, counted.start)
    }
  // A clock that was wrong once must not delete everything.
  const now = Math.min(newest, Date.now())
  for (const { spanMs, keptMs } of countSpans)
    sql('DELETE FROM ledger_spans WHERE span = ? AND start < ?').run(spanMs, now - keptMs)
  for (const [tool, { calls, failed, refused, since, callers }] of tools) {
    sql(addTool).run(tool, calls, failed, refused, since)
    for (const [caller, count] of callers) sql(addCaller).run(tool, JSON.stringify(caller), count)
  }
}

function addSpan(sql: Sql, spanMs: number, { start, tool, state, code, count, violations, durations }: Counted) {
  const key = [spanMs, start, tool, state, code]
  const known = sql('SELECT count, violations, durations FROM ledger_spans WHERE span = ? AND start = ? AND tool = ? AND state = ? AND code = ?').get(...key) // biome-ignore format: one line
  const before = known ? toCounts(known) : { count: 0, violations: 0, durations: {} }
  addHistogram(before.durations, durations)
  sql('INSERT OR REPLACE INTO ledger_spans VALUES (?, ?, ?, ?, ?, ?, ?, ?)').run(
    ...key,
    before.count + count,
    before.violations + violations,
    JSON.stringify(before.durations),
  )
}

/** Counts of the indexed entries in spans that begin within the range. */
export function readSpans(sql: Sql, spanMs: number, { from, to }: { from: number; to: number }): Counted[] {
  const rows = sql('SELECT start, tool, state, code, count, violations, durations FROM ledger_spans WHERE span = ? AND start >= ? AND start < ?') // biome-ignore format: one line
  return rows.all(spanMs, from, to).map((row) => ({ ...row, ...toCounts(row) }) as unknown as Counted)
}

/** Totals of the indexed entries. */
export function readTools(sql: Sql, tool: string | undefined): Map<string, CountedTool> {
  const where = tool === undefined ? '' : 'WHERE tool = ?'
  const values = tool === undefined ? [] : [tool]
  const tools = new Map<string, CountedTool>()
  for (const row of sql(`SELECT tool, calls, failed, refused, since FROM ledger_tools ${where}`).all(...values)) {
    const { tool, ...total } = row as unknown as CountedTool & { tool: string }
    tools.set(tool, { ...total, callers: new Map() })
  }
  for (const row of sql(`SELECT tool, caller, calls FROM ledger_callers ${where}`).all(...values))
    tools.get(row.tool as string)?.callers.set(JSON.parse(row.caller as string), row.calls as number)
  return tools
}

function toCounts(row: Record<string, unknown>): Pick<Counted, 'count' | 'violations' | 'durations'> {
  const { count, violations, durations } = row as { count: number; violations: number; durations: string }
  return { count, violations, durations: JSON.parse(durations) }
}

const addTool = `
  INSERT INTO ledger_tools VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (tool) DO UPDATE SET
  calls = calls + ?2, failed = failed + ?3, refused = refused + ?4, since = min(since, ?5)
`

const addCaller = `
  INSERT INTO ledger_callers VALUES (?1, ?2, ?3) ON CONFLICT (tool, caller) DO UPDATE SET calls = calls + ?3
`
