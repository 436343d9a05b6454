import { type Finding, pointTo } from './lint-problem.ts'
import {
  isSchemaObject,
  namesOf,
  requiredOf,
  type SchemaNode,
  type SchemaObject,
  toOwner,
  withBranches,
} from './walk-schema.ts'

/**
 * An `if` that only constrains a property also holds if the property is absent, and then `then` applies: `{ if: {
 * properties: { html: { type: 'string' } } }, then: { required: ['html'] } }` makes `html` required for all.
 */
export function checkVacuousIf(node: SchemaNode): Finding[] {
  const condition = node.schema.if
  if (!isSchemaObject(condition) || !('then' in node.schema || 'else' in node.schema)) return []
  const needed = new Set([...requiredAlways(condition), ...requiredAround(node)])
  return asked(condition)
    .filter(({ name }) => !needed.has(name))
    .map(({ name, steps }) => ({
      pointer: pointTo(node.pointer, 'if', ...steps),
      message: `This if also matches when '${name}' is absent: an object without it is treated like one that matches.`,
      fix: `Add required: ['${name}'] to the if.`,
    }))
}

/** Properties that the condition constrains, and where. */
function asked(
  condition: SchemaObject,
  steps: (string | number)[] = [],
): { name: string; steps: (string | number)[] }[] {
  const properties = isSchemaObject(condition.properties) ? condition.properties : {}
  const own = Object.entries(properties)
    .filter(([, part]) => isSchemaObject(part) && Object.keys(part).length > 0)
    .map(([name]) => ({ name, steps: [...steps, 'properties', name] }))
  const all = Array.isArray(condition.allOf) ? condition.allOf.filter(isSchemaObject) : []
  return [...own, ...all.flatMap((part, index) => asked(part, [...steps, 'allOf', index]))]
}

/** Properties that the schema requires: its `required`, that of each `allOf`, and what every `anyOf` branch requires. */
function requiredAlways(schema: SchemaObject): string[] {
  const all = Array.isArray(schema.allOf) ? schema.allOf.filter(isSchemaObject).flatMap(requiredAlways) : []
  const choices = [schema.anyOf, schema.oneOf].filter(Array.isArray).flatMap((branches) => {
    const [first = [], ...others] = branches.map((branch) => (isSchemaObject(branch) ? requiredAlways(branch) : []))
    return first.filter((name) => others.every((names) => names.includes(name)))
  })
  return [...requiredOf(schema), ...all, ...choices]
}

/** Properties required at this node: by itself, by the schemas it is a branch of, and by the `if` of its `then`. */
function requiredAround(node: SchemaNode): string[] {
  const names = requiredAlways(node.schema)
  const owner = toOwner(node)
  for (let place = node; place !== owner && place.parent; place = place.parent) {
    names.push(...requiredAlways(place.parent.schema))
    if (place.keyword === 'then' && isSchemaObject(place.parent.schema.if)) {
      names.push(...requiredAlways(place.parent.schema.if))
    }
  }
  return names
}

/** `if` needs `then` or `else`, and they need `if`. */
export function checkIfComplete({ schema, pointer }: SchemaNode): Finding[] {
  if ('if' in schema && !('then' in schema) && !('else' in schema)) {
    return [
      {
        pointer: pointTo(pointer, 'if'),
        message: 'This if has neither then nor else and has no effect.',
        fix: 'Add then or else, or remove it.',
      },
    ]
  }
  if ('if' in schema) return []
  return ['then', 'else']
    .filter((keyword) => keyword in schema)
    .map((keyword) => ({
      pointer: pointTo(pointer, keyword),
      message: `This ${keyword} has no if and therefore no effect.`,
      fix: `Add the if, or remove ${keyword}.`,
    }))
}

/**
 * `additionalProperties: false` considers only the properties beside it, so it refuses properties declared in branches.
 */
export function checkClosedBesideBranches({ schema, root, pointer }: SchemaNode): Finding[] {
  if (schema.additionalProperties !== false || 'patternProperties' in schema) return []
  const own = new Set(namesOf(schema))
  const branches = withBranches(schema, root).filter((part) => part !== schema)
  const hidden = new Set(branches.flatMap(declaredBy).filter((name) => !own.has(name)))
  return [...hidden].map((name) => ({
    pointer: pointTo(pointer, 'additionalProperties'),
    message: `A branch declares '${name}', but additionalProperties: false beside it always refuses that property.`,
    fix: `Declare '${name}' under properties here too, or write unevaluatedProperties: false instead.`,
  }))
}

function declaredBy(schema: SchemaObject): string[] {
  const properties = isSchemaObject(schema.properties) ? schema.properties : {}
  return Object.keys(properties).filter((name) => properties[name] !== false)
}
