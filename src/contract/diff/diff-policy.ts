import { type Contract, type fieldEffects, type Limits, type Risk, toReturnedKinds } from '../contract.ts'
import { isObject } from '../json.ts'
import { showValue } from '../text/show-value.ts'
import type { Finding } from './change.ts'

/** The fields of a contract that policy reads, and the input schema. */
type Held = Pick<Contract, 'risk' | 'approval' | 'idempotent' | 'limits' | 'effects' | 'input'>

/**
 * Changes of risk, approval, limits and effects. Looser is breaking: anyone who relied on an approval or a limit must
 * review it. Stricter is reported.
 */
export function diffPolicy(old: Held, next: Held): Finding[] {
  return [
    ...diffRisk(old.risk, next.risk),
    ...diffApproval(old, next),
    ...diffIdempotent(old.idempotent === true, next.idempotent === true),
    ...diffLimits(old.limits, next.limits),
    ...diffEffects(old, next),
    ...diffDataFlow(old, next),
  ]
}

const risks: readonly Risk[] = ['read_only', 'safe_write', 'dangerous']

function diffRisk(before: Risk, after: Risk): Finding[] {
  if (before === after) return []
  const isLooser = risks.indexOf(after) < risks.indexOf(before)
  const meaning = isLooser
    ? 'Policy treats it less strictly than before.'
    : 'The policy may now ask or deny in more cases.'
  return [toFinding('/risk', isLooser, `The risk changed from ${before} to ${after}. ${meaning}`, [before, after])]
}

function diffApproval({ approval: before }: Held, { approval: after }: Held): Finding[] {
  if (before === after) return []
  const message = after === 'never' ? 'A call no longer asks for approval.' : 'A call now asks for approval.'
  return [toFinding('/approval', after === 'never', message, [before, after])]
}

function diffIdempotent(before: boolean, after: boolean): Finding[] {
  if (before === after) return []
  const message = after
    ? 'An interrupted step of a workflow may now run again.'
    : 'An interrupted step of a workflow now waits for a person.'
  return [toFinding('/idempotent', after, message, [before, after])]
}

const bounds: readonly (readonly [name: Exclude<keyof Limits, 'calls'>, what: string])[] = [
  ['concurrency', 'The maximum of concurrent calls'],
  ['timeoutMs', 'The timeout'],
  ['inputBytes', 'The maximum size of an input'],
  ['outputBytes', 'The maximum size of an output'],
]

function diffLimits(old: Limits, next: Limits): Finding[] {
  return [...diffCalls(old.calls, next.calls), ...bounds.flatMap(([name, what]) => diffBound(old, next, name, what))]
}

function diffBound(old: Limits, next: Limits, name: (typeof bounds)[number][0], what: string): Finding[] {
  const [before, after] = [old[name], next[name]]
  if (before === after) return []
  const isLooser = (after ?? Number.POSITIVE_INFINITY) > (before ?? Number.POSITIVE_INFINITY)
  const message = `${what} changed from ${before ?? 'unlimited'} to ${after ?? 'unlimited'}.`
  const finding = toFinding(`/limits/${name}`, isLooser, message, [before, after])
  // Inputs that used to be accepted are refused: callers fail, as with a narrower schema.
  return [name === 'inputBytes' && !isLooser ? { ...finding, category: 'wire', breaking: true } : finding]
}

function diffCalls(before: Limits['calls'], after: Limits['calls']): Finding[] {
  if (before?.count === after?.count && before?.windowMs === after?.windowMs) return []
  const isLooser = before !== undefined && (!after || after.count > before.count || after.windowMs < before.windowMs)
  const message = `The rate changed from ${toRate(before)} to ${toRate(after)}.`
  return [toFinding('/limits/calls', isLooser, message, [before, after])]
}

function toRate(calls: Limits['calls']): string {
  return calls ? `${calls.count} calls in ${calls.windowMs} ms` : 'unlimited'
}

const effects: readonly (readonly [kind: (typeof fieldEffects)[number], what: string])[] = [
  ['reads', 'a path to read'],
  ['writes', 'a path to write'],
  ['fetches', 'a URL to fetch'],
  ['runs', 'a command to run'],
  ['sends', 'a receiver of data'],
]

function diffEffects(old: Held, next: Held): Finding[] {
  return effects.flatMap(([kind, what]) => {
    const [before, after] = [old.effects[kind] ?? [], next.effects[kind] ?? []]
    const lost = before.filter((name) => !after.includes(name))
    const gained = after.filter((name) => !before.includes(name))
    return [
      ...lost.map((name) => {
        // A removed property cannot bypass policy.
        const isLooser = hasProperty(next, name)
        return toFinding(`/effects/${kind}`, isLooser, `Policy no longer treats '${name}' as ${what}.`, [before, after])
      }),
      ...gained.map((name) => {
        return toFinding(`/effects/${kind}`, false, `Policy now treats '${name}' as ${what}.`, [before, after])
      }),
    ]
  })
}

/** Fewer private, untrusted or outgoing data means looser: fewer calls need approval. */
function diffDataFlow({ effects: old }: Held, { effects: next }: Held): Finding[] {
  // If neither contract declares it, it is derived from effects whose changes are already reported.
  const isDeclared = old.returns !== undefined || next.returns !== undefined
  const [before, after] = isDeclared ? [toReturnedKinds(old), toReturnedKinds(next)] : [[], []]
  const [sentBefore, sentAfter] = [old.sendsTo ?? [], next.sendsTo ?? []]
  const toChange = (field: string, isLooser: boolean, message: string, values: readonly unknown[]) =>
    toFinding(`/effects/${field}`, isLooser, message, values)
  const lost = <T>(from: readonly T[], to: readonly T[]) => from.filter((item) => !to.includes(item))
  return [
    ...lost(before, after).map((kind) => toChange('returns', true, `The output no longer counts as ${kind}.`, [before, after])), // biome-ignore format: one line
    ...lost(after, before).map((kind) =>
      toChange('returns', false, `The output now counts as ${kind}.`, [before, after]),
    ),
    ...lost(sentBefore, sentAfter).map((to) => toChange('sendsTo', true, `Policy no longer sees that it sends data to ${to}.`, [sentBefore, sentAfter])), // biome-ignore format: one line
    ...lost(sentAfter, sentBefore).map((to) => toChange('sendsTo', false, `It now sends data to ${to}.`, [sentBefore, sentAfter])), // biome-ignore format: one line
    ...(Boolean(old.askPerHost) === Boolean(next.askPerHost)
      ? []
      : [toChange('askPerHost', Boolean(next.askPerHost), next.askPerHost ? 'One approval now covers a host for a session.' : 'Each call asks again, instead of each host.', [old.askPerHost, next.askPerHost])]), // biome-ignore format: one line
  ]
}

function hasProperty({ input }: Held, name: string): boolean {
  // If the input schema does not list its properties, the property may still exist.
  if (!isObject(input) || !isObject(input.properties) || input.additionalProperties !== false) return true
  return Object.hasOwn(input.properties, name)
}

function toFinding(pointer: string, isLooser: boolean, message: string, [before, after]: readonly unknown[]): Finding {
  return {
    pointer,
    category: 'policy',
    breaking: isLooser,
    message,
    ...(before !== undefined && { before: showValue(before) }),
    ...(after !== undefined && { after: showValue(after) }),
  }
}
