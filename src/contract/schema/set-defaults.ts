import type { JsonObject, JsonValue } from '../json.ts'
import type { LinearPattern } from './linear-pattern.ts'
import { spendSteps } from './step-budget.ts'
import { type AjvSchema, resolveReference } from './to-ajv-schema.ts'

interface Patterns {
  get(source: string): Pick<LinearPattern, 'test'> | undefined
}

/**
 * Sets declared defaults in a value, each as a fresh copy: in `properties`, also below `items`, `allOf` and references.
 * Not in branches and conditions: a branch that fails would leave its defaults behind.
 */
export function setDefaults(root: AjvSchema, patterns: Patterns, value: unknown): void {
  fill(root, value as JsonValue)

  function fill(schema: AjvSchema | undefined, value: JsonValue | undefined): void {
    if (typeof schema !== 'object' || typeof value !== 'object' || value === null) return
    spendSteps(1)
    if (typeof schema.$ref === 'string') fill(resolveReference(root, schema.$ref), value)
    for (const part of (schema.allOf ?? []) as AjvSchema[]) fill(part, value)
    if (Array.isArray(value)) fillItems(schema, value)
    else fillProperties(schema, value)
  }

  function fillItems({ prefixItems = [], items }: JsonObject, value: JsonValue[]): void {
    const first = prefixItems as AjvSchema[]
    for (const [index, item] of value.entries()) fill(first[index] ?? (items as AjvSchema | undefined), item)
  }

  function fillProperties(schema: JsonObject, value: JsonObject): void {
    const properties = (schema.properties ?? {}) as Record<string, AjvSchema>
    for (const [name, part] of Object.entries(properties)) {
      if (Object.hasOwn(value, name)) continue
      const found = defaultOf(root, part)
      if (found === undefined) continue
      spendSteps(JSON.stringify(found).length)
      value[name] = structuredClone(found)
    }
    const { patternProperties, additionalProperties } = schema
    const others = Object.entries((patternProperties ?? {}) as Record<string, AjvSchema>)
    for (const [name, entry] of Object.entries(value)) {
      if (typeof entry !== 'object' || entry === null) continue
      const matching = others.filter(([source]) => patterns.get(source)!.test(name)).map(([, part]) => part)
      if (Object.hasOwn(properties, name)) matching.push(properties[name]!)
      if (matching.length === 0) matching.push((additionalProperties ?? true) as AjvSchema)
      for (const part of matching) fill(part, entry)
    }
  }
}

/** Its own default, or that of the schema it refers to. */
function defaultOf(root: AjvSchema, schema: AjvSchema, turns = 0): JsonValue | undefined {
  if (typeof schema !== 'object' || turns > 100) return undefined
  if (schema.default !== undefined || typeof schema.$ref !== 'string') return schema.default
  return defaultOf(root, resolveReference(root, schema.$ref), turns + 1)
}
