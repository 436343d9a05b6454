/** Limits of a schema. The largest of 1,900 schemas of real tools has 34 kB, 325 objects and 58 properties. */
export const schemaBounds = {
  bytes: 262_144,
  depth: 64,
  subschemas: 2_000,
  properties: 500,
  branches: 200,
  enumValues: 2_000,
  references: 1_000,
  referenceTargets: 150,
  /** Subschemas that apply to one value, with every reference followed. */
  cost: 10_000,
  patternLength: 1_000,
  /** Total instructions of all patterns. */
  patternSize: 20_000,
  /** Further problems add nothing. */
  problems: 20,
} as const

/** The reasons to refuse a schema, and how to fix each. */
export const schemaRules = {
  not_json: 'Write plain JSON.',
  prototype_key: 'Rename it: "__proto__" would change the object itself.',
  too_large: `Use fewer bytes than ${schemaBounds.bytes}.`,
  too_deep: `Nest at most ${schemaBounds.depth} levels; move parts to "$defs" and refer to them.`,
  too_many_parts: 'Make the schema smaller, or describe the part in less detail.',
  unsupported_dialect:
    'Use "https://json-schema.org/draft/2020-12/schema" or "http://json-schema.org/draft-07/schema#".',
  not_a_schema: 'Write an object, true or false.',
  invalid_keyword: 'Correct it.',
  reference_not_local: 'Copy the referenced schema into "$defs" and refer to it as "#/$defs/NAME".',
  reference_not_found: 'Point to a schema of this document, such as "#/$defs/NAME".',
  reference_loop: 'Put a property or an item between, so that each turn looks at a smaller part of the value.',
  reference_cost: 'Use fewer nested combinations of references.',
  identifier: 'Remove it and refer to the schema by its place, such as "#/$defs/NAME".',
  pattern: 'Write a pattern that RE2 takes: no look-around inside, no back-reference, repeats up to 1000.',
} as const satisfies Record<string, string>

export type SchemaRule = keyof typeof schemaRules

export interface SchemaProblem {
  readonly rule: SchemaRule
  /** JSON pointer into the schema; `""` is the whole schema. */
  readonly pointer: string
  /** What is wrong, without a full stop. */
  readonly fault: string
  /** What is wrong and what to do. */
  readonly message: string
}

export function toSchemaProblem(rule: SchemaRule, pointer: string, fault: string): SchemaProblem {
  return { rule, pointer, fault, message: `${fault}. ${schemaRules[rule]}` }
}
