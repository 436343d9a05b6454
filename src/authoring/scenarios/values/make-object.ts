import { isSchemaObject, namesOf, requiredOf, type SchemaObject } from '../../../contract/lint/walk-schema.ts'
import { atLeast, atMost, collect, Impossible, isSchema, type Schema } from './demands.ts'
import { makeString } from './make-string.ts'
import type { Making, Size } from './make-value.ts'
import { samplePattern } from './sample-pattern.ts'

export interface ChosenProperty {
  readonly name: string
  readonly schemas: readonly Schema[]
  readonly isRequired: boolean
}

const maxProperties = 600
const maxInvented = 50

/** Chooses the properties of an object and their schemas. */
export function chooseProperties(making: Making, given: readonly SchemaObject[], size: Size): ChosenProperty[] {
  const list = [...given]
  const required = new Set(list.flatMap(requiredOf))
  const names = new Set(required)
  for (const name of list.flatMap(namesOf)) {
    if (size === 'large' || (size === 'any' && making.random.chance(0.5))) names.add(name)
  }
  addDependents(making, list, { names, required })
  const invented = new Map<string, readonly Schema[]>()
  const least = Math.min(atLeast(list, 'minProperties', 0), maxProperties)
  for (const name of list.flatMap(namesOf)) if (names.size < least) names.add(name)
  const extra = size === 'small' || !hasOwnNames(list) ? 0 : 1
  for (let turn = 0; turn < maxInvented && names.size < least + (turn < extra ? 1 : 0); turn++) {
    const found = inventName(making, list, turn)
    if (!found || names.has(found.name)) continue
    names.add(found.name)
    invented.set(found.name, found.schemas)
  }
  const most = atMost(list, 'maxProperties', maxProperties)
  for (const name of [...names].reverse()) if (names.size > most && !required.has(name)) names.delete(name)
  return [...names].map((name) => ({
    name,
    schemas: [...schemasFor(list, name), ...(invented.get(name) ?? [])],
    isRequired: required.has(name),
  }))
}

/** Dependencies of a property: other names, or a schema for the whole object. */
function addDependents(
  making: Making,
  list: SchemaObject[],
  { names, required }: { names: Set<string>; required: Set<string> },
): void {
  const done = new Set<unknown>()
  for (let index = 0; index < list.length && list.length < maxProperties; index++) {
    const { dependentRequired, dependentSchemas, dependencies } = list[index]!
    for (const [key, brought] of [dependentRequired, dependentSchemas, dependencies].flatMap(entriesOf)) {
      if (!names.has(key) || done.has(brought)) continue
      done.add(brought)
      const more = isSchema(brought) ? collect([brought], making.root, making.choose) : []
      for (const name of Array.isArray(brought) ? brought : more.flatMap(requiredOf)) {
        names.add(name)
        required.add(name)
      }
      list.push(...more)
      // A newly added name may have dependencies of its own.
      index = -1
      break
    }
  }
}

function entriesOf(value: unknown): [string, unknown][] {
  return isSchemaObject(value) ? Object.entries(value) : []
}

/** Whether schemas constrain properties that they do not list. */
function hasOwnNames(list: readonly SchemaObject[]): boolean {
  return list.some(
    ({ additionalProperties, patternProperties }) =>
      isSchemaObject(additionalProperties) || isSchemaObject(patternProperties),
  )
}

/** An unlisted name: from a pattern, from `propertyNames`, or arbitrary. */
function inventName(
  making: Making,
  list: readonly SchemaObject[],
  turn: number,
): { name: string; schemas: Schema[] } | undefined {
  const { random } = making
  const patterns = list.flatMap(({ patternProperties }) => entriesOf(patternProperties))
  const isClosed = list.some(({ additionalProperties: more }) => more === false)
  if (patterns.length > 0 && (isClosed || random.chance(0.5))) {
    const [source, schema] = random.pick(patterns)
    const name = samplePattern(source, { random, extra: 1 + turn, maxLength: 100 })
    return name === undefined || !isSchema(schema) ? undefined : { name, schemas: [schema] }
  }
  const named = list.flatMap(({ propertyNames }) => (isSchema(propertyNames) ? [propertyNames] : []))
  if (named.length === 0) return { name: `extra_${turn + 1}`, schemas: [] }
  try {
    return { name: makeString(making, collect(named, making.root, making.choose), 'any'), schemas: [] }
  } catch (error) {
    if (error instanceof Impossible) return undefined
    throw error
  }
}

/** The schemas of a property, by name only. */
function schemasFor(list: readonly SchemaObject[], name: string): Schema[] {
  return list.flatMap((schema): Schema[] => {
    const { properties, patternProperties, additionalProperties } = schema
    if (isSchemaObject(properties) && Object.hasOwn(properties, name)) return [properties[name]].filter(isSchema)
    return isSchema(additionalProperties) && !isSchemaObject(patternProperties) ? [additionalProperties] : []
  })
}
