import type { Finding } from '../../contract/diff/change.ts'
import { diffSchemas, type Side } from '../../contract/diff/diff-schemas.ts'
import { isObject, type JsonObject, type JsonSchema } from '../../contract/json.ts'
import { fromPointer } from '../../contract/schema/json-pointer.ts'
import { findHiddenStrings } from '../../contract/text/hidden-strings.ts'
import { closeInput } from '../admission/close-input.ts'
import { findSignals } from '../signals/find-signals.ts'
import { isLooserHint } from './diff-definitions.ts'
import { diffJson, type Spot } from './diff-json.ts'
import type { Drift } from './drift.ts'

/** Classifies the change from one definition to another. If in doubt, it breaks. Expects bounded JSON. */
export function classifyDrift(accepted: JsonObject, next: JsonObject, server: string): Drift {
  if (findHiddenStrings(next).length > 0 || hasNewSignal(accepted, next, server)) return 'instructs'
  const spots = diffJson(accepted, next)
  const outside = spots.filter(({ pointer }) => !/^\/(?:input|output)Schema(?:\/|$)/.test(pointer)).map(classifyOutside)
  const sides = [classifyInput(accepted, next, spots), classifyOutput(accepted, next)]
  const found = new Set<Drift>([...outside, ...sides.flat()])
  for (const drift of ['breaks', 'loosens'] as const) if (found.has(drift)) return drift
  return !found.has('compatible') && spots.every(isWording) ? 'wording' : 'compatible'
}

/**
 * The accepted definition with the server's new hints where they are stricter: a tool that turns out to write must not keep
 * running without approval.
 */
export function withStricterHints(accepted: JsonObject, next: JsonObject): JsonObject {
  const [old, now] = [toObject(accepted.annotations), toObject(next.annotations)]
  const kept = Object.entries(old).filter(([name]) => !hints.includes(name))
  const taken = Object.entries(now).filter(([name]) => hints.includes(name))
  const annotations = Object.fromEntries([...kept, ...taken])
  const { annotations: _, ...rest } = accepted
  return accepted.annotations === undefined && taken.length === 0 ? rest : { ...rest, annotations }
}

const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']

function hasNewSignal(accepted: JsonObject, next: JsonObject, server: string): boolean {
  const raised = findSignals(next, { server })
  if (raised.length === 0) return false
  const known = new Set(findSignals(accepted, { server }).map(({ signal, excerpt }) => `${signal} ${excerpt}`))
  return raised.some(({ signal, excerpt }) => !known.has(`${signal} ${excerpt}`))
}

function classifyOutside(spot: Spot): Drift {
  const [first = '', second] = fromPointer(spot.pointer) ?? []
  if (first === 'description' || first === 'title' || first === 'icons') return 'wording'
  // An app that wants to reach more than was accepted.
  if (first === '_meta' && second === 'toolpact/app' && spot.after !== undefined) return 'loosens'
  // Other metadata does not affect calls, and the accepted copy stays in use.
  if (first === '_meta') return 'compatible'
  if (first !== 'annotations') return 'breaks'
  if (second === 'title') return 'wording'
  if (second !== undefined && !hints.includes(second)) return 'breaks'
  return isLooserHint(second, spot) ? 'loosens' : 'compatible'
}

function classifyInput(accepted: JsonObject, next: JsonObject, spots: readonly Spot[]): Drift[] {
  if (!isObject(accepted.inputSchema) || !isObject(next.inputSchema)) return ['breaks']
  // Compared as enforced: admission closes an open root.
  const [before, after] = [closeInput(accepted.inputSchema).schema, closeInput(next.inputSchema).schema]
  const isBroken = compare(before, after, 'input').some(
    (finding) => finding.breaking && !isDefaultPlace(finding.pointer),
  )
  const isOpened = spots.some(isOpening)
  return [...(isBroken ? ['breaks' as const] : []), ...(isOpened ? ['loosens' as const] : [])]
}

/** Whether undeclared keys are now allowed. A root that no longer mentions them is closed by admission anyway. */
function isOpening({ pointer, after }: Spot): boolean {
  if (!/^\/inputSchema\/(?:.*\/)?(?:additional|unevaluated)Properties$/.test(pointer) || after === false) return false
  return after !== undefined || pointer !== '/inputSchema/additionalProperties'
}

function classifyOutput({ outputSchema: before }: JsonObject, { outputSchema: after }: JsonObject): Drift[] {
  if (before === undefined) return after === undefined ? [] : ['compatible']
  if (!isObject(before) || !isObject(after)) return ['loosens']
  return compare(before, after, 'output').some(({ breaking }) => breaking) ? ['loosens'] : []
}

function compare(before: JsonSchema, after: JsonSchema, side: Side): readonly Pick<Finding, 'pointer' | 'breaking'>[] {
  try {
    return diffSchemas(before, after, side)
  } catch {
    // The schemas differ but cannot be compared.
    return [{ pointer: '', breaking: true }]
  }
}

/** Whether this is a default. The accepted default is sent with each call, so a new one breaks nothing. */
export function isDefaultPlace(pointer: string): boolean {
  const segments = fromPointer(pointer) ?? []
  return segments.at(-1) === 'default' && !namesOfSchemas.has(segments.at(-2) ?? '')
}

/** Keywords whose keys are names, not keywords. */
const namesOfSchemas = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])

function isWording({ pointer, before, after }: Spot): boolean {
  if (/^\/icons(?:\/|$)/.test(pointer)) return true
  const isText = [before, after].every((value) => value === undefined || typeof value === 'string')
  return isText && /\/(?:description|title|\$comment)$/.test(pointer)
}

function toObject(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}
