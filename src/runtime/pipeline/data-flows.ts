import { isDeepStrictEqual } from 'node:util'
import type { DataKind } from '../../contract/contract.ts'
import type { JsonValue } from '../../contract/json.ts'
import type { Caller } from '../../contract/tool.ts'
import type { DataFlow } from '../../policy/data-flow.ts'
import type { Notes } from '../storage/storage.ts'

/** What the calls of each session have read, and which receivers a person allowed for it. */
export interface DataFlows {
  look(caller: Caller): Promise<DataFlow>
  /** Records that a call returned data of these kinds. Resolves once that is stored. */
  take(caller: Caller, kinds: readonly DataKind[], source: string): Promise<void>
  /** Records an approval of a call that sends to these receivers. */
  allow(caller: Caller, receivers: readonly string[]): Promise<void>
}

export interface DataFlowsOptions {
  /**
   * What calls are grouped by. A caller's flow is stored in `notes`, so that it survives the process and is shared with
   * others.
   */
  readonly by: 'session' | 'caller'
  readonly notes: Notes
  readonly workspace: string
  readonly now?: () => number
}

interface Flow {
  readonly taken: { readonly [kind in DataKind]?: { readonly at: number; readonly from: readonly string[] } }
  /** When each receiver was allowed, in milliseconds since 1970. */
  readonly allowed: { readonly [receiver: string]: number }
}

const day = 86_400_000
/** What a model has read stays in its context, which may be used for days. */
const keepTakenMs = 7 * day
/** An approval lasts for a session; for callers without one, twelve hours. */
const keepAllowedMs = day / 2
/** Limits how often an active flow is rewritten. */
const refreshMs = 600_000
const maxFlows = 10_000
/** One more than is shown, to detect that there are more. */
const maxSources = 4
const maxAllowed = 256

export function createDataFlows({ by, notes, workspace, now = Date.now }: DataFlowsOptions): DataFlows {
  /** In order of last use. */
  const flows = new Map<string, Flow>()
  const isKept = by === 'caller'

  function toKey({ name, session }: Caller): string {
    return JSON.stringify(['data flow', workspace, name, ...(isKept ? [] : [session ?? null])])
  }

  async function load(key: string): Promise<Flow> {
    const known = flows.get(key) ?? nothing
    if (!isKept) return known
    return merge(known, ((await notes.get(key)) as Flow | undefined) ?? nothing)
  }

  async function add(key: string, more: Flow): Promise<void> {
    for (;;) {
      const stored = isKept ? await notes.get(key) : undefined
      // After the await: another call of this process may have updated the flow during it.
      const flow = merge(merge((stored as Flow | undefined) ?? nothing, flows.get(key) ?? nothing), more)
      flows.delete(key)
      flows.set(key, flow)
      if (flows.size > maxFlows) flows.delete(flows.keys().next().value!)
      if (!isKept || (await store(key, stored, flow as never))) return
    }
  }

  /** False if another process has stored something in the meantime, which must not be lost. */
  async function store(key: string, known: JsonValue | undefined, flow: JsonValue): Promise<boolean> {
    if (known !== undefined) return notes.replace(key, known, flow)
    return isDeepStrictEqual(await notes.setOnce(key, flow), flow)
  }

  return {
    async look(caller) {
      const { taken, allowed } = await load(toKey(caller))
      const at = now()
      const sourcesOf = (kind: DataKind) => {
        const mark = taken[kind]
        return mark && mark.at + keepTakenMs > at ? toShown(mark.from) : []
      }
      // A time in the future means that the clock was set back: ask again.
      const valid = Object.entries(allowed).filter(([, since]) => since <= at && since + keepAllowedMs > at)
      return {
        who: isKept ? 'This caller' : 'This session',
        taken: { private: sourcesOf('private'), untrusted: sourcesOf('untrusted') },
        allowed: new Set(valid.map(([receiver]) => receiver)),
      }
    },
    async take(caller, kinds, source) {
      const key = toKey(caller)
      const at = now()
      const isNew = (flow: Flow | undefined, kind: DataKind) => {
        const mark = flow?.taken[kind]
        const isKnown = mark && (mark.from.includes(source) || mark.from.length >= maxSources)
        return !isKnown || Math.abs(at - mark.at) > refreshMs
      }
      if (kinds.every((kind) => !isNew(flows.get(key), kind))) return
      const marks = kinds.map((kind) => [kind, { at, from: [source] }])
      await add(key, { taken: Object.fromEntries(marks), allowed: {} })
    },
    async allow(caller, receivers) {
      const given = Object.fromEntries(receivers.map((receiver) => [receiver, now()]))
      await add(toKey(caller), { taken: {}, allowed: given })
    },
  }
}

function toShown(from: readonly string[]): readonly string[] {
  return from.length < maxSources ? from : [...from.slice(0, maxSources - 1), '…']
}

const nothing: Flow = { taken: {}, allowed: {} }

function merge(a: Flow, b: Flow): Flow {
  const newest = Object.entries({ ...a.allowed, ...b.allowed }).sort(([, one], [, other]) => other - one)
  return {
    taken: { ...mergeKind('private', a, b), ...mergeKind('untrusted', a, b) },
    allowed: Object.fromEntries(newest.slice(0, maxAllowed)),
  }
}

function mergeKind(kind: DataKind, { taken: a }: Flow, { taken: b }: Flow): Flow['taken'] {
  const marks = [a[kind], b[kind]].filter((mark) => mark !== undefined)
  if (marks.length === 0) return {}
  const from = [...new Set(marks.flatMap((mark) => mark.from))].slice(0, maxSources)
  return { [kind]: { at: Math.max(...marks.map((mark) => mark.at)), from } }
}
