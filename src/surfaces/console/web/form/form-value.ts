import { isObject, type JsonObject, type JsonValue } from '../../../../contract/json.ts'
import { fromPointer } from '../../../../contract/schema/json-pointer.ts'
import type { Problem } from '../../api/tools.ts'
import { type Branch, describeField, type Field, toTypes } from './describe-field.ts'
import { resolveSchema } from './resolve-schema.ts'

/** A part of a form's value. Undefined: not given. */
export type Value = JsonValue | undefined

const maxDepth = 8

/** What a required part has before anybody typed: defaults, constants, and the objects that hold them. */
export function toStart(schema: JsonValue, root: JsonValue, depth = 0): Value {
  const field = describeField(schema, root)
  if (field.default !== undefined) return field.default
  if (field.kind === 'options') return field.options.length === 1 ? field.options[0] : undefined
  if (field.kind === 'choice') return depth < maxDepth ? toStart(field.branches[0]!.schema, root, depth + 1) : undefined
  if (field.kind === 'array')
    return Array.from({ length: Math.min(field.min, 20) }, (_, index) => toItem(field.itemAt(index), root, depth + 1))
  if (field.kind !== 'object') return undefined
  const value: JsonObject = {}
  if (depth >= maxDepth) return value
  for (const property of field.properties) {
    const start = property.isRequired ? toStart(property.schema, root, depth + 1) : undefined
    if (start !== undefined) value[property.name] = start
  }
  return value
}

/** A new item of an array, or an added part: it is given from the beginning, even if empty. */
export function toItem(schema: JsonValue, root: JsonValue, depth = 0): JsonValue {
  return toStart(schema, root, depth) ?? (describeField(schema, root).kind === 'text' ? '' : null)
}

/** Whether a control can show a value. What it cannot show is shown as JSON, so that nothing is lost. */
export function canShow(field: Field, value: Value): boolean {
  if (value === undefined || (value === null && field.isNullable)) return true
  if (field.kind === 'object') return isObject(value)
  if (field.kind === 'array') return Array.isArray(value)
  if (field.kind === 'text') return typeof value === 'string'
  // Null is an item that nobody chose yet, and text a number that is not complete.
  if (field.kind === 'number') return typeof value === 'number' || typeof value === 'string' || value === null
  if (field.kind === 'options') return value === null || field.options.some((option) => isSame(option, value))
  return true
}

export function isSame(one: Value, other: Value): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}

/** Keeps text that is not exactly a number as text: the server says what is wrong, and nothing typed changes silently. */
export function toNumber(text: string): Value {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  const number = Number(trimmed)
  const isExact = Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number))
  return isExact && /^[-+.\deE]+$/.test(trimmed) ? number : trimmed
}

export function setProperty(object: Value, name: string, value: Value): JsonObject {
  const { [name]: _, ...others } = isObject(object) ? object : {}
  if (value === undefined) return others
  // An existing key keeps its place.
  return isObject(object) && Object.hasOwn(object, name) ? { ...object, [name]: value } : { ...others, [name]: value }
}

export function moveItem(items: readonly JsonValue[], from: number, to: number): JsonValue[] {
  const moved = [...items]
  moved.splice(to, 0, ...moved.splice(from, 1))
  return moved
}

/** The branch that a value was most likely meant for; -1 if it fits none. */
export function findBranch(branches: readonly Branch[], value: Value, root: JsonValue): number {
  if (value === undefined || value === null) return 0
  const scores = branches.map((branch) => toScore(branch.schema, value, root, 0))
  const best = Math.max(...scores)
  return best === Number.NEGATIVE_INFINITY ? -1 : scores.indexOf(best)
}

const no = Number.NEGATIVE_INFINITY

function toScore(schema: JsonValue, value: JsonValue, root: JsonValue, depth: number): number {
  const resolved = resolveSchema(schema, root)
  if (resolved === undefined || depth > maxDepth) return 0
  if (resolved.const !== undefined) return isSame(resolved.const, value) ? 2 : no
  if (Array.isArray(resolved.enum)) return resolved.enum.some((option) => isSame(option, value)) ? 2 : no
  const branches = resolved.oneOf ?? resolved.anyOf
  const types = toTypes(resolved)
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) return no
  if (Array.isArray(branches)) return Math.max(...branches.map((branch) => toScore(branch, value, root, depth + 1)))
  if (!isObject(value)) return types.length > 0 ? 1 : 0
  return toObjectScore(resolved, value, root, depth)
}

function toObjectScore(schema: JsonObject, value: JsonObject, root: JsonValue, depth: number): number {
  const properties = isObject(schema.properties) ? schema.properties : {}
  const missing = [schema.required ?? []].flat().filter((name) => !Object.hasOwn(value, String(name))).length
  let score = 1 - missing
  for (const [name, part] of Object.entries(value)) {
    if (!Object.hasOwn(properties, name)) {
      if (schema.additionalProperties === false) score--
      continue
    }
    const inner = toScore(properties[name]!, part, root, depth + 1)
    const isDiscriminator = isObject(properties[name]) && properties[name].const !== undefined
    if (inner === no && isDiscriminator) return no
    score += inner === no ? -1 : 1
  }
  return score
}

function isOfType(value: JsonValue, type: JsonValue): boolean {
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isObject(value)
  if (type === 'null') return value === null
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type
}

/** The problems that still apply: the part that a problem is about is as it was when the server saw it. */
export function stillApplying(problems: readonly Problem[], seen: Value, now: Value): readonly Problem[] {
  return problems.filter(({ pointer }) => findAt(seen, pointer) === findAt(now, pointer))
}

/** The problems at a part, or also below it if nothing below has a place of its own. */
export function problemsAt(problems: readonly Problem[], pointer: string, withInner: boolean): readonly Problem[] {
  return problems.filter((one) => one.pointer === pointer || (withInner && one.pointer.startsWith(`${pointer}/`)))
}

function findAt(value: Value, pointer: string): Value {
  let part: Value = value
  for (const segment of fromPointer(pointer) ?? []) {
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, segment)) return undefined
    part = (part as JsonObject)[segment]
  }
  return part
}
