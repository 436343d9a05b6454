import { diffSchemas } from '../../contract/diff/diff-schemas.ts'
import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import { fromPointer } from '../../contract/schema/json-pointer.ts'
import { findHidden } from '../../contract/text/hidden-characters.ts'
import { flagInstructions } from '../signals/find-signals.ts'
import { isDefaultPlace } from './classify-drift.ts'
import type { Spot } from './diff-json.ts'
import type { LockedTool } from './lock.ts'

const maxLength = 100

/**
 * The accepted definition with the current values of defaults that were accepted as varying, such as the current time. A
 * value of another kind, or with text that raises a signal, still counts as a change.
 */
export function withVarying(
  { definition, varying = [] }: Pick<LockedTool, 'definition' | 'varying'>,
  next: JsonObject,
  server: string,
): JsonObject {
  return varying.reduce((accepted, pointer) => {
    const [before, after] = [findAt(accepted, pointer), findAt(next, pointer)]
    const schema = findAt(next, pointer.slice(0, pointer.lastIndexOf('/')))
    if (before === undefined || after === undefined || !isObject(schema)) return accepted
    const isFit = isOfOneKind(before, after) && isSilent(after, server) && isValid(after, { before, schema })
    return isFit ? putAt(accepted, fromPointer(pointer)!, after) : accepted
  }, definition)
}

/** Why a location cannot be accepted as varying; undefined if it can. */
export function findVaryingFault(definition: JsonObject, pointer: string): string | undefined {
  if (!/^\/inputSchema\//.test(pointer) || !isDefaultPlace(pointer))
    return 'only a default in the input schema can vary'
  const value = findAt(definition, pointer)
  if (value === undefined) return 'the definition has no such place'
  return isOfOneKind(value, value) ? undefined : 'only a string, a number or a boolean can vary'
}

/** The changed defaults, if nothing else changed; undefined otherwise. */
export function findVaryingPlaces(spots: readonly Spot[], definition: JsonObject): string[] | undefined {
  const pointers = spots.map(({ pointer }) => pointer)
  const isVarying = spots.every(({ before, after }) => before !== undefined && after !== undefined)
  if (pointers.length === 0 || !isVarying) return undefined
  return pointers.every((pointer) => findVaryingFault(definition, pointer) === undefined) ? pointers : undefined
}

function isOfOneKind(before: JsonValue, after: JsonValue): boolean {
  return ['string', 'number', 'boolean'].includes(typeof after) && typeof before === typeof after
}

function isSilent(value: JsonValue, server: string): boolean {
  if (typeof value !== 'string') return true
  return value.length <= maxLength && findHidden(value, 'prose') === undefined && flagInstructions(value, { server }).length === 0 // biome-ignore format: one line
}

/** Whether the value is valid for its schema. Patterns and formats are compared by the shape of the value. */
function isValid(value: JsonValue, { before, schema }: { before: JsonValue; schema: JsonObject }): boolean {
  const { pattern, format, ...rest } = schema
  if ((pattern !== undefined || format !== undefined) && toForm(before) !== toForm(value)) return false
  return !diffSchemas({ const: value }, rest, 'input').some(({ breaking }) => breaking)
}

/** `2026-11-16` and `2031-01-02` have the same shape. */
function toForm(value: JsonValue): string {
  return String(value).replaceAll(/\d/g, '0').replaceAll(/\p{L}/gu, 'a')
}

function findAt(root: JsonValue, pointer: string): JsonValue | undefined {
  return fromPointer(pointer)?.reduce<JsonValue | undefined>((value, segment) => {
    return typeof value === 'object' && value !== null && Object.hasOwn(value, segment) ? (value as JsonObject)[segment] : undefined // biome-ignore format: one line
  }, root)
}

function putAt<Root extends JsonValue>(root: Root, [segment, ...rest]: readonly string[], value: JsonValue): Root {
  if (segment === undefined) return value as Root
  const inner = putAt((root as JsonObject)[segment]!, rest, value)
  return (
    Array.isArray(root) ? root.with(Number(segment), inner) : { ...(root as JsonObject), [segment]: inner }
  ) as Root
}
