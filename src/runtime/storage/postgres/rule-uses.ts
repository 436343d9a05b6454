import { toClosedError } from '../../../contract/toolpact-error.ts'
import type { RuleUse, RuleUses } from '../storage.ts'
import type { Connection } from './connection.ts'

/** Counted in memory and added to the table from time to time: a crash loses counts of the last seconds, never a decision. */
const flushEveryMs = 2000

export function openPostgresRuleUses({ tenant, query }: Connection): RuleUses & { end(): Promise<void> } {
  let counted = new Map<string, RuleUse>()
  let timer: NodeJS.Timeout | undefined
  let isEnded = false

  function add(uses: Map<string, RuleUse>, rule: string, { count, lastUsedAt }: RuleUse) {
    const before = uses.get(rule)
    uses.set(rule, { count: count + (before?.count ?? 0), lastUsedAt: before ? Math.max(lastUsedAt, before.lastUsedAt) : lastUsedAt }) // biome-ignore format: one line
  }

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (counted.size === 0) return
    const adding = counted
    counted = new Map()
    try {
      for (const [rule, { count, lastUsedAt }] of adding) await query(addUses, tenant, rule, count, lastUsedAt)
    } catch (error) {
      for (const [rule, use] of adding) add(counted, rule, use)
      throw error
    }
  }

  return {
    async count(rule, now) {
      if (isEnded) throw toClosedError()
      add(counted, rule, { count: 1, lastUsedAt: now })
      timer ??= setTimeout(() => flush().catch(() => {}), flushEveryMs).unref()
    },
    async read() {
      if (isEnded) throw toClosedError()
      await flush()
      const find = 'SELECT rule, count, last_used_at AS "lastUsedAt" FROM rule_uses WHERE tenant = $1'
      const rows = await query<RuleUse & { rule: string }>(find, tenant)
      return new Map(rows.map(({ rule, count, lastUsedAt }) => [rule, { count, lastUsedAt }]))
    },
    async forget(rule) {
      counted.delete(rule)
      await query('DELETE FROM rule_uses WHERE tenant = $1 AND rule = $2', tenant, rule)
    },
    async end() {
      isEnded = true
      await flush().catch(() => {})
    },
  }
}

const addUses = `
  INSERT INTO rule_uses AS own VALUES ($1, $2, $3, $4) ON CONFLICT (tenant, rule) DO UPDATE SET
  count = own.count + excluded.count, last_used_at = greatest(own.last_used_at, excluded.last_used_at)
`
