import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import { findTarget } from '../../contract/schema/local-reference.ts'
import { acceptsNull } from './nullable.ts'

/**
 * Removes the nulls that a strict model writes for omitted properties: those of optional properties that are not
 * nullable. The schema is the contract's own. The result is validated like any other arguments.
 */
export function withoutNulls(value: JsonValue, schema: JsonValue): JsonValue {
  try {
    return new Walk(schema).clean(value, schema)
  } catch (cause) {
    // A schema that refers to itself in place; the pipeline refuses it.
    if (cause instanceof RangeError) return value
    throw cause
  }
}

/** Nested branches could take exponential time; arguments that need more steps are left unchanged. */
const maxSteps = 100_000

class Walk {
  readonly #root: JsonValue
  #steps = 0

  constructor(root: JsonValue) {
    this.#root = root
  }

  clean(value: JsonValue, schema: JsonValue | undefined): JsonValue {
    if (typeof value !== 'object' || value === null || !isObject(schema) || this.#isSpent()) return value
    let cleaned = value
    for (const part of this.#partsOf(schema)) cleaned = this.clean(cleaned, part) as typeof value
    for (const keyword of ['anyOf', 'oneOf']) {
      const branch = listOf(schema[keyword]).find((branch) => this.#fits(cleaned, branch))
      if (branch !== undefined) cleaned = this.clean(cleaned, branch) as typeof value
    }
    if (Array.isArray(cleaned)) return cleaned.map((item) => this.clean(item, schema.items))
    const properties = propertiesOf(schema)
    const entries = Object.entries(cleaned).filter(([name, part]) => !this.#isLeftOut(name, part, schema))
    return Object.fromEntries(
      entries.map(([name, part]) => [
        name,
        Object.hasOwn(properties, name) ? this.clean(part, properties[name]) : part,
      ]),
    )
  }

  #isLeftOut(name: string, value: JsonValue, schema: JsonObject): boolean {
    const properties = propertiesOf(schema)
    if (value !== null || !Object.hasOwn(properties, name)) return false
    return !listOf(schema.required).includes(name) && !acceptsNull(properties[name]!, this.#root)
  }

  /** Whether a strict model could have written these arguments for this branch. */
  #fits(value: JsonValue, schema: JsonValue): boolean {
    if (!isObject(schema) || this.#isSpent()) return schema !== false
    const { type, enum: choices } = schema
    if (type !== undefined && ![type].flat().some((name) => hasType(value, String(name)))) return false
    if ('const' in schema && !isSame(value, schema.const!)) return false
    if (Array.isArray(choices) && !choices.some((choice) => isSame(value, choice))) return false
    if (!this.#partsOf(schema).every((part) => this.#fits(value, part))) return false
    for (const keyword of ['anyOf', 'oneOf']) {
      const branches = listOf(schema[keyword])
      if (branches.length > 0 && !branches.some((branch) => this.#fits(value, branch))) return false
    }
    if (Array.isArray(value)) return value.every((item) => schema.items === undefined || this.#fits(item, schema.items))
    return !isObject(value) || this.#fitsObject(value, schema)
  }

  #fitsObject(value: JsonObject, schema: JsonObject): boolean {
    const properties = propertiesOf(schema)
    if (!listOf(schema.required).every((name) => Object.hasOwn(value, String(name)))) return false
    return Object.entries(value).every(([name, part]) => {
      if (!Object.hasOwn(properties, name)) return schema.additionalProperties !== false
      return this.#isLeftOut(name, part, schema) || this.#fits(part, properties[name]!)
    })
  }

  /** Schemas that the same value must match too. */
  #partsOf(schema: JsonObject): JsonValue[] {
    const target = typeof schema.$ref === 'string' ? findTarget(this.#root, schema.$ref) : undefined
    return [...(target?.found ? [target.schema] : []), ...listOf(schema.allOf)]
  }

  #isSpent(): boolean {
    return ++this.#steps > maxSteps
  }
}

function listOf(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : []
}

function propertiesOf(schema: JsonObject): JsonObject {
  return isObject(schema.properties) ? schema.properties : {}
}

function hasType(value: JsonValue, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'array') return Array.isArray(value)
  if (type === 'null') return value === null
  return type === 'object' ? isObject(value) : typeof value === type
}

/** Compares scalars; objects and arrays among fixed values are not compared. */
function isSame(value: JsonValue, fixed: JsonValue): boolean {
  return value === fixed || (typeof value === 'object' && value !== null && typeof fixed === 'object' && fixed !== null)
}
