import { createComparison } from '../../contract/diff/compare.ts'
import { openDocument, type Place, placeIn } from '../../contract/diff/document.ts'
import { createPartsOf, type TextTest } from '../../contract/diff/part.ts'
import { isObject, type JsonObject, type JsonSchema } from '../../contract/json.ts'
import { keywordOf, subschemas } from '../../contract/schema/keywords.ts'
import { defaultOf, typeOfValue } from './type.ts'

/**
 * The input schema of a tool, as a mapping must match it; undefined if it cannot be read. A missing property gets its default
 * before the input is validated. Where that could make the input invalid, the property is required here.
 */
export function openInput(schema: JsonSchema, test: TextTest): Place | undefined {
  // A copy, which may be changed until its parts are asked for.
  const root = openDocument(schema, '/input')
  if (typeof root === 'string') return undefined
  const places = placesIn(root)
  const withDefaults = places.filter((place) => namesWithDefaults(place).length > 0)
  if (withDefaults.length === 0) return root
  if (places.some(({ schema }) => isSensitive(schema as JsonObject))) {
    demandAll(withDefaults)
    return root
  }
  // A default may contain objects whose own defaults are wrong.
  for (let pass = 0; pass < maxPasses; pass++) {
    const { lacks, giving, partsOf } = createComparison(createPartsOf(test))
    const wrong = withDefaults.flatMap((place) => {
      const names = namesWithDefaults(place).filter((name) => {
        const property = placeIn(place, 'properties', name)
        return lacks(giving(partsOf(typeOfValue(defaultOf(property)!).place)), property, '').length > 0
      })
      const isNew = names.some((name) => !requiredIn(place).includes(name))
      return isNew ? [{ place, names }] : []
    })
    if (wrong.length === 0) return root
    for (const { place, names } of wrong) demand(place, names)
  }
  demandAll(withDefaults)
  return root
}

const maxPasses = 4

/** Every schema of a document. */
function placesIn(place: Place): Place[] {
  const { schema, document } = place
  if (!isObject(schema)) return []
  return [
    place,
    ...Object.entries(schema).flatMap(([name, value]) => {
      const shape = keywordOf(name, document.dialect)?.shape ?? 'any'
      return subschemas(shape, value).flatMap(([path]) => placesIn(placeIn(place, name, ...path)))
    }),
  ]
}

function namesWithDefaults(place: Place): string[] {
  const { properties } = place.schema as JsonObject
  if (!isObject(properties)) return []
  return Object.keys(properties).filter((name) => defaultOf(placeIn(place, 'properties', name)) !== undefined)
}

const counting = 'maxProperties propertyNames patternProperties dependentRequired dependentSchemas dependencies'
const others = 'unevaluatedProperties not if'
const sensitive = new Set(`${counting} ${others}`.split(' '))
const inPlace = ['allOf', 'anyOf', 'oneOf', '$ref']

/** Whether one more property may make an object invalid, although the property itself is valid. */
function isSensitive(schema: JsonObject): boolean {
  const isCombined =
    inPlace.some((name) => name in schema) && ('properties' in schema || 'additionalProperties' in schema)
  return isCombined || Object.keys(schema).some((name) => sensitive.has(name)) || 'allOf' in schema
}

function requiredIn({ schema }: Place): readonly string[] {
  return ((schema as JsonObject).required ?? []) as string[]
}

function demand(place: Place, names: readonly string[]): void {
  ;(place.schema as JsonObject).required = [...new Set([...requiredIn(place), ...names])]
}

function demandAll(places: readonly Place[]): void {
  for (const place of places) demand(place, namesWithDefaults(place))
}
