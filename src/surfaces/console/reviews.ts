import type { Toolpact } from '../../app/app.ts'
import type { LockReview, ServerReview, ToolReview } from '../../app/lock.ts'
import type { JsonObject } from '../../contract/json.ts'

type Status = ReturnType<Toolpact['upstreams']['look']>[number]

/** A comparison of many tools takes a while, so it is used until a server changes, and for a moment at most. */
const reuseMs = 2000

interface Comparison {
  readonly at: number
  readonly of: readonly unknown[]
  readonly review: Promise<LockReview>
}

const comparisons = new WeakMap<Toolpact, Comparison>()

/** How the servers compare with the lock now. Starts none. */
export function compareServers(toolpact: Toolpact): Promise<LockReview> {
  const of = toolpact.upstreams.look().flatMap(toKey)
  const known = comparisons.get(toolpact)
  const isSame = known?.of.length === of.length && known.of.every((part, index) => part === of[index])
  if (known && isSame && performance.now() - known.at < reuseMs) return known.review
  const review = toolpact.lock.reviewRunning()
  comparisons.set(toolpact, { at: performance.now(), of, review })
  return review
}

/** Both lists are new after each list of the server. */
function toKey({ name, state, definitions, withheld }: Status): unknown[] {
  return [name, state, ...[definitions, withheld].map((list) => (list.length === 0 ? 0 : list))]
}

/** After a decision. */
export function forgetComparison(toolpact: Toolpact): void {
  comparisons.delete(toolpact)
}

/** Changes of accepted tools that nobody has decided about, by server. */
export async function countReviews(toolpact: Toolpact): Promise<ReadonlyMap<string, number>> {
  const statuses = toolpact.upstreams.look()
  if (statuses.length === 0) return new Map()
  // A lock that cannot be used is reported where it is shown.
  const review = await compareServers(toolpact).catch(() => undefined)
  const refused = await readRefused(toolpact)
  return new Map(
    (review?.servers ?? []).map((server) => {
      const status = statuses.find(({ name }) => name === server.name)
      const isChanged = ({ name, state }: ToolReview) =>
        state !== 'new' || (status && hasChangedSinceStart(status, name))
      const tools = server.tools.filter((tool) => isOpen(tool, refused) && isChanged(tool)).length
      return [server.name, tools + (isReplaced(server) && isOpen(server, refused) ? 1 : 0)]
    }),
  )
}

/** A tool that nobody has accepted is compared with what its server listed first. */
function hasChangedSinceStart({ admitted, withheld }: Status, tool: string): boolean {
  return (
    admitted.some(({ tool: { contract }, review }) => review && contract.name === tool) ||
    withheld.some(({ name, reasons }) => name === tool && reasons.some(({ code }) => code === 'differs_from_lock'))
  )
}

export function isReplaced({ state, identity }: ServerReview): boolean {
  return state === 'left' || identity.some(({ weight }) => weight !== 'note')
}

function isOpen({ digest }: { readonly digest?: string }, refused: Refused): boolean {
  return digest !== undefined && !refused.has(digest)
}

/** Who left which change as it was accepted, by the digest of the change. Another change has another digest. */
export type Refused = ReadonlyMap<string, { readonly by: string; readonly at: string }>

const noteKey = 'lock-refused'

export async function readRefused({ notes }: Pick<Toolpact, 'notes'>): Promise<Refused> {
  const stored = ((await notes.get(noteKey)) ?? {}) as { [digest: string]: { by: string; at: string } }
  return new Map(Object.entries(stored))
}

/** Above the limit, the oldest are asked about again. */
const maxRefused = 5000

export async function refuseChanges(toolpact: Toolpact, digests: readonly string[], by: string): Promise<void> {
  const at = new Date().toISOString()
  const all = new Map([...(await readRefused(toolpact)), ...digests.map((digest) => [digest, { by, at }] as const)])
  await toolpact.notes.set(noteKey, Object.fromEntries([...all].slice(-maxRefused)) as JsonObject)
}
