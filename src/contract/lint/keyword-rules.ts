import { keywords } from '../schema/keywords.ts'
import { nearest } from '../text/nearest.ts'
import { type Finding, pointTo } from './lint-problem.ts'
import { type SchemaNode, typesOf } from './walk-schema.ts'

/** Keywords that apply to certain types and ignore all others. */
const keywordsOfTypes: readonly [types: readonly string[], keywords: readonly string[]][] = [
  [['string'], ['minLength', 'maxLength', 'pattern', 'contentEncoding', 'contentMediaType', 'contentSchema']],
  [['string', 'number', 'integer'], ['format']],
  [
    ['number', 'integer'],
    ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ],
  [
    ['array'],
    [
      ...['items', 'prefixItems', 'additionalItems', 'unevaluatedItems', 'contains', 'minContains', 'maxContains'],
      ...['minItems', 'maxItems', 'uniqueItems'],
    ],
  ],
  [
    ['object'],
    [
      ...['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties', 'propertyNames'],
      ...['required', 'minProperties', 'maxProperties', 'dependentRequired', 'dependentSchemas', 'dependencies'],
    ],
  ],
]

/** Keywords of other schema languages, and their JSON Schema equivalents. */
const foreign: { readonly [keyword: string]: string } = {
  nullable: "Write type: ['…', 'null'].",
  optional: 'Take it out: a property is optional unless its object lists it under required.',
  example: 'Write examples: [ … ].',
  choices: 'Write enum: [ … ].',
  regex: 'Write pattern.',
}

/** A keyword for other types than `type` allows has no effect. */
export function checkIdleKeywords({ schema, pointer }: SchemaNode): Finding[] {
  const types = typesOf(schema)
  if (!types) return []
  return keywordsOfTypes.flatMap(([judged, names]) =>
    judged.some((type) => types.includes(type))
      ? []
      : names
          // A boolean is the draft-04 form inside a property, which has its own rule.
          .filter((keyword) => keyword in schema && !(keyword === 'required' && typeof schema.required === 'boolean'))
          .map((keyword) => ({
            pointer: pointTo(pointer, keyword),
            message: `${keyword} applies only to ${judged.join(' or ')}, so it has no effect beside type: ${types.join(', ')}.`,
            fix: `Remove ${keyword}, or correct type.`,
          })),
  )
}

/** Unknown keywords are ignored silently, so a mistyped one is a check that never runs. */
export function checkMistypedKeywords({ schema, pointer }: SchemaNode): Finding[] {
  return Object.keys(schema)
    .filter((keyword) => !keywords.has(keyword) && !keyword.startsWith('x-'))
    .flatMap((keyword) => {
      const place = pointTo(pointer, keyword)
      const message = `${keyword} is not a JSON Schema keyword and has no effect.`
      if (Object.hasOwn(foreign, keyword)) return [{ pointer: place, message, fix: foreign[keyword]! }]
      const meant = toMeant(keyword)
      return meant ? [{ pointer: place, message, fix: `Write ${meant}, if that is what you meant.` }] : []
    })
}

function toMeant(keyword: string): string | undefined {
  const folded = fold(keyword)
  const known = [...keywords.keys()]
  return known.find((each) => fold(each) === folded) ?? nearest(keyword, known)
}

function fold(keyword: string): string {
  return keyword.toLowerCase().replaceAll(/[^a-z]/g, '')
}

const pairs: readonly [lower: string, upper: string, strict?: boolean][] = [
  ['minLength', 'maxLength'],
  ['minimum', 'maximum'],
  ['exclusiveMinimum', 'maximum', true],
  ['minimum', 'exclusiveMaximum', true],
  ['exclusiveMinimum', 'exclusiveMaximum', true],
  ['minItems', 'maxItems'],
  ['minContains', 'maxContains'],
  ['minProperties', 'maxProperties'],
]

/** Bounds that no value can satisfy. */
export function checkBounds({ schema, pointer }: SchemaNode): Finding[] {
  return pairs
    .filter(([lower, upper, strict]) => {
      const low = schema[lower]
      const high = schema[upper]
      return typeof low === 'number' && typeof high === 'number' && (strict ? low >= high : low > high)
    })
    .map(([lower, upper]) => ({
      pointer: pointTo(pointer, lower),
      message: `No value has both ${lower} ${schema[lower]} and ${upper} ${schema[upper]}.`,
      fix: `Make ${lower} smaller or ${upper} larger.`,
    }))
}
