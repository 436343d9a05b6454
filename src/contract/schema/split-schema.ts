import type { JsonSchema } from '../json.ts'

/** The schema of an object whose properties can be checked one by one: no other keyword refers into them. */
export type SplitSchema = JsonSchema & { readonly properties: { readonly [name: string]: JsonSchema } }

/**
 * Splits the schema of an object into those of its properties and one of the object, which keeps their names and defaults.
 * A value is valid if all of these accept it, so a large schema costs no more than the properties that a value has.
 */
export function splitSchema(schema: SplitSchema): { whole: JsonSchema; parts: SplitSchema['properties'] } {
  const kept = Object.entries(schema.properties).map(([name, part]) => [
    name,
    part.default === undefined ? {} : { default: part.default },
  ])
  return { whole: { ...schema, properties: Object.fromEntries(kept) }, parts: schema.properties }
}
