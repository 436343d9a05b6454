import type { Ledger } from '../../runtime/storage/storage.ts'

/** How often calls of a server asked for approval. */
export interface Questions {
  readonly calls: number
  readonly asked: number
}

/** Recent entries to scan: enough for a rate, within milliseconds. */
const maxEntries = 5000

/** Counts the questions of recent calls, by server. */
export async function countQuestions(ledger: Pick<Ledger, 'read'>): Promise<ReadonlyMap<string, Questions>> {
  const counts = new Map<string, { calls: number; asked: number }>()
  for (const { record } of await ledger.read({ last: maxEntries })) {
    if ((record.kind !== 'intent' && record.kind !== 'refusal') || !record.decision) continue
    const server = record.tool.slice(0, record.tool.indexOf('.'))
    const count = counts.get(server) ?? { calls: 0, asked: 0 }
    counts.set(server, count)
    count.calls++
    if (record.decision.action === 'ask') count.asked++
  }
  return counts
}

/** Questions per 100 calls; before the first call, an estimate that weighs all tools equally. */
export function toQuestionRate(
  questions: Questions | undefined,
  tools: readonly { readonly approval: 'ask' | 'never' }[],
): string {
  if (questions) return String(Math.round((100 * questions.asked) / questions.calls))
  if (tools.length === 0) return ''
  return `~${Math.round((100 * tools.filter(({ approval }) => approval === 'ask').length) / tools.length)}`
}
