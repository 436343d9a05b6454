/**
 * Compares two JSON Schemas by the values that they accept, to find changes that break callers.
 *
 * Invariant: if some value that was accepted may now be refused (or the reverse), a change is reported. False alarms are
 * possible, missed changes are not: whatever is too complex or unknown counts as different.
 *
 * Hard part: containment of schemas is not decidable in practice. `compare.ts` asks "do the known facts about a value
 * satisfy this part?", splits unions, follows recursion by assuming open questions, and gives up at fixed limits.
 */

import { canonicalJson } from '../canonical-json.ts'
import type { JsonSchema, JsonValue } from '../json.ts'
import { pointerTo } from '../schema/json-pointer.ts'
import { showValue } from '../text/show-value.ts'
import type { Finding } from './change.ts'
import { createComparison } from './compare.ts'
import { describeDifference } from './describe-difference.ts'
import { openDocument, type Place } from './document.ts'
import { type Lack, reportedBefore, tooComplex } from './lack.ts'
import { diffWriting } from './writing.ts'

export type Side = 'input' | 'output'

/** Compares the values that two schemas accept: an input may only widen, an output only narrow. */
export interface Difference {
  readonly pointer: string
  readonly keyword: string
  readonly name?: string
  /** Some value that was accepted may be refused now. */
  readonly narrows: boolean
  /** Some value that was refused may be accepted now. */
  readonly widens: boolean
  readonly before?: JsonValue
  readonly after?: JsonValue
  readonly isUnknown?: boolean
}

export function diffSchemas(old: JsonSchema, next: JsonSchema, side: Side): Finding[] {
  const [before, after] = [openDocument(old, `/${side}`), openDocument(next, `/${side}`)]
  if (typeof before === 'string' || typeof after === 'string') return diffUnreadable(old, next, side)
  return [
    ...toDifferences(before, after).map((difference) => toFinding(difference, side)),
    ...diffWriting(before, after, side),
  ]
}

function toDifferences(before: Place, after: Place): Difference[] {
  const narrowings = lacksOf(before, after).map(({ found, wanted, ...lack }) => ({
    ...lack,
    narrows: true,
    widens: false,
    ...toSides(found, wanted),
  }))
  const widenings = lacksOf(after, before).map(({ found, wanted, ...lack }) => ({
    ...lack,
    narrows: false,
    widens: true,
    ...toSides(wanted, found),
  }))
  const together = new Map<string, Difference>()
  for (const { path, ...difference } of [...narrowings, ...widenings]) {
    const key = `${path} ${difference.keyword} ${difference.name ?? ''}`
    const known = together.get(key)
    // Narrowing changes come first and point into the new contract.
    together.set(key, known ? { ...difference, ...known, widens: known.widens || difference.widens } : difference)
  }
  return [...together.values()]
}

function toSides(before: JsonValue | undefined, after: JsonValue | undefined) {
  return { ...(before !== undefined && { before }), ...(after !== undefined && { after }) }
}

/** What `to` requires beyond `from`. */
function lacksOf(from: Place, to: Place): Lack[] {
  const { lacks, giving, partsOf } = createComparison()
  const all = lacks(giving(partsOf(from)), to, '')
  const reported = all.filter(({ keyword }) => keyword !== reportedBefore)
  // A difference must be reported even if its cause is unknown.
  return reported.length === 0 && all.length > 0 ? [{ path: '', pointer: to.pointer, keyword: tooComplex }] : reported
}

function toFinding(difference: Difference, side: Side): Finding {
  const { pointer, narrows, widens, isUnknown, before, after } = difference
  return {
    pointer,
    category: 'wire',
    breaking: isUnknown || (side === 'input' ? narrows : widens),
    message: describeDifference(difference, side),
    ...(before !== undefined && { before: showValue(before) }),
    ...(after !== undefined && { after: showValue(after) }),
  }
}

/** Invalid schemas are compared as text. */
function diffUnreadable(old: unknown, next: unknown, side: Side): Finding[] {
  if (toText(old) === toText(next)) return []
  const faults = [old, next].map((schema) => openDocument(schema, ''))
  const which = typeof faults[0] === 'string' ? 'old' : 'new'
  const fault = faults.find((found) => typeof found === 'string')
  const message = `The ${side} changed, and cannot be compared: the ${which} schema is not valid. ${fault}`
  return [{ pointer: pointerTo('', side), category: 'wire', breaking: true, message }]
}

function toText(value: unknown): string {
  try {
    return canonicalJson(value as JsonValue)
  } catch {
    return String(JSON.stringify(value))
  }
}
