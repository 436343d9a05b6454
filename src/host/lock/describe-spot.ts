import type { Finding } from '../../contract/diff/change.ts'
import type { JsonValue } from '../../contract/json.ts'
import { showValue } from '../../contract/text/show-value.ts'
import type { Spot } from './diff-json.ts'

const longest = 200
const context = 30

/** Describes a change. Of long texts it shows the part that differs, so that nothing hides behind a long common prefix. */
export function describeSpot(spot: Spot, name: string): Pick<Finding, 'message' | 'before' | 'after'> {
  const [before, after] = showBoth(spot)
  const shown = { ...(before !== undefined && { before }), ...(after !== undefined && { after }) }
  if (before === undefined) return { ...shown, message: `The ${name} was added: ${after}.` }
  if (after === undefined) return { ...shown, message: `The ${name} was removed: ${before}.` }
  return { ...shown, message: `The ${name} changed from ${before} to ${after}.${hintOf(spot)}` }
}

function showBoth({ before, after }: Spot): [before: string | undefined, after: string | undefined] {
  if (typeof before !== 'string' || typeof after !== 'string') return [show(before), show(after)]
  const start = Math.max(0, lengthOfSameStart(before, after) - context)
  return [before, after].map((text) => `${start > 0 ? '…' : ''}${showValue(text.slice(start), longest)}`) as [
    string,
    string,
  ]
}

function show(value: JsonValue | undefined): string | undefined {
  return value === undefined ? undefined : showValue(value, longest)
}

function lengthOfSameStart(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}

/** Some servers put the current time into a default, which then differs at every start. */
function hintOf({ before, after }: Spot): string {
  if (!isTime(before) || !isTime(after)) return ''
  return ' Both are times: the server may write the current one here, and then it differs at every start.'
}

const timeText = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d[\d:.]*(?:Z|[+-]\d\d:?\d\d)?)?$/
const earliest = Date.UTC(2020)
const latest = Date.UTC(2100)

function isTime(value: JsonValue | undefined): boolean {
  if (typeof value === 'string') return timeText.test(value)
  if (typeof value !== 'number') return false
  return [value, value * 1000].some((time) => time > earliest && time < latest)
}
