import type { Finding } from '../../contract/diff/change.ts'
import { diffSchemas, type Side } from '../../contract/diff/diff-schemas.ts'
import { isObject, type JsonObject, type JsonSchema, type JsonValue } from '../../contract/json.ts'
import { fromPointer } from '../../contract/schema/json-pointer.ts'
import { showText, showValue } from '../../contract/text/show-value.ts'
import { diffJson, type Spot } from './diff-json.ts'

const maxShown = 200

const contextBefore = 30

const timeText = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d[\d:.]*(?:Z|[+-]\d\d:?\d\d)?)?$/

const earliest = Date.UTC(2020)

const latest = Date.UTC(2100)

/**
 * The changes from one definition of a tool to another, with JSON pointers. Every difference is reported: if its meaning is
 * not known, by its location. Expects bounded JSON.
 */
export function diffDefinitions(old: JsonObject, next: JsonObject): Finding[] {
  const spots = diffJson(old, next)
  const known = [...diffSide(old, next, 'input'), ...diffSide(old, next, 'output')].map((finding) =>
    inWords(finding, spots),
  )
  const uncovered = spots.filter((spot) => !known.some((finding) => isCoveredBy(finding, spot)))
  const rest = uncovered.slice(0, maxUncovered).map(toFinding)
  return [...rest.filter(isOutside), ...known, ...rest.filter((finding) => !isOutside(finding)), ...toMore(uncovered)]
}

const maxUncovered = 50
const schemaKeys = { input: 'inputSchema', output: 'outputSchema' } as const

function diffSide(old: JsonObject, next: JsonObject, side: Side): Finding[] {
  const key = schemaKeys[side]
  const [before, after] = [old[key], next[key]]
  if (before === undefined || after === undefined) {
    if (before === after) return []
    const breaking = side === 'input' || after === undefined
    const message = `The tool ${after === undefined ? 'no longer declares' : 'now declares'} an ${side} schema.`
    return [{ pointer: `/${key}`, category: 'wire', breaking, message }]
  }
  return diffSchemas(before as JsonSchema, after as JsonSchema, side).map((finding) => ({
    ...finding,
    pointer: finding.pointer.replace(`/${side}`, `/${key}`),
  }))
}

/** The schema diff truncates long values; texts are described by the part that differs instead. */
function inWords(finding: Finding, spots: readonly Spot[]): Finding {
  const spot = spots.find(({ pointer }) => pointer === finding.pointer)
  const isNote = /\/(?:default|description|title)$/.test(finding.pointer)
  return spot && isNote ? { ...finding, ...describeSpot(spot, lastOf(finding.pointer)) } : finding
}

/** Whether a finding covers a difference: one contains the other. A finding about a whole schema covers none. */
function isCoveredBy({ pointer }: Finding, spot: Spot): boolean {
  if (pointer === spot.pointer || pointer.startsWith(`${spot.pointer}/`)) return true
  return !Object.values(schemaKeys).some((key) => pointer === `/${key}`) && spot.pointer.startsWith(`${pointer}/`)
}

function isOutside({ pointer }: Finding): boolean {
  return !/^\/(?:in|out)putSchema(?:\/|$)/.test(pointer)
}

function toFinding(spot: Spot): Finding {
  const { pointer } = spot
  const [first = '', second = ''] = fromPointer(pointer) ?? []
  if (first === 'annotations') return { pointer, ...diffAnnotation(second, spot) }
  const isWords = ['description', 'title', 'icons'].includes(first) || /\/(?:description|title)$/.test(pointer)
  return {
    pointer,
    category: isWords ? 'words' : 'wire',
    // The meaning is unknown.
    breaking: !isWords && first !== 'inputSchema' && first !== 'outputSchema',
    ...describeSpot(spot, lastOf(pointer)),
  }
}

/** A hint that became less strict is breaking: it needs another review. */
function diffAnnotation(name: string, spot: Spot): Omit<Finding, 'pointer'> {
  const words = describeSpot(spot, name === '' ? 'annotations' : `annotation ${showText(name)}`)
  if (name === 'title') return { category: 'words', breaking: false, ...words }
  const breaking = isLooserHint(name === '' ? undefined : name, spot) || (name !== '' && !hints.includes(name))
  return { category: 'policy', breaking, ...words }
}

/** Whether the hints became less strict. Without a name, all annotations were added or removed. */
export function isLooserHint(name: string | undefined, { before, after }: Spot): boolean {
  if (name === undefined) return isLooser(toHints(before), toHints(after))
  return isLooser({ [name]: before }, { [name]: after })
}

const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']

type Hints = { readonly [name: string]: JsonValue | undefined }

function isLooser(before: Hints, after: Hints): boolean {
  const isGained = (name: string) => before[name] !== true && after[name] === true
  // These default to true, so both adding and removing them can be less strict.
  const isLost = (name: string) =>
    (before[name] === true && after[name] !== true) || (before[name] !== false && after[name] === false)
  return isGained('readOnlyHint') || isGained('idempotentHint') || isLost('destructiveHint') || isLost('openWorldHint')
}

function toHints(value: JsonValue | undefined): Hints {
  return isObject(value) ? value : {}
}

function toMore(uncovered: readonly Spot[]): Finding[] {
  const more = uncovered.length - maxUncovered
  if (more <= 0) return []
  return [{ pointer: '', category: 'wire', breaking: true, message: `The definition changed in ${more} places more.` }]
}

function lastOf(pointer: string): string {
  return showText(fromPointer(pointer)?.at(-1) ?? pointer)
}

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
  const start = Math.max(0, lengthOfSameStart(before, after) - contextBefore)
  return [before, after].map((text) => `${start > 0 ? '…' : ''}${showValue(text.slice(start), maxShown)}`) as [
    string,
    string,
  ]
}

function show(value: JsonValue | undefined): string | undefined {
  return value === undefined ? undefined : showValue(value, maxShown)
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

function isTime(value: JsonValue | undefined): boolean {
  if (typeof value === 'string') return timeText.test(value)
  if (typeof value !== 'number') return false
  return [value, value * 1000].some((time) => time > earliest && time < latest)
}
