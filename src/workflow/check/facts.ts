import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import { isExpression, type Operand, toExpression } from '../expression/expression.ts'

/** What follows from a condition, as schemas that the scope matches. Fewer facts are always safe. */
export function factsOf(condition: JsonValue, holds: boolean): JsonObject[] {
  if (!isObject(condition) || !isExpression(condition)) return []
  const expression = toExpression(condition)
  if ('malformed' in expression) return []
  switch (expression.operator) {
    case '$from':
      return expression.fallback ? [] : [at(expression.path, { const: holds })]
    case '$not':
      return factsOf(expression.operands[0]!.value, !holds)
    case '$and':
    case '$or': {
      const inner = expression.operands.map(({ value }) => factsOf(value, holds))
      if ((expression.operator === '$and') === holds) return inner.flat()
      return inner.every((facts) => facts.length > 0) ? [{ anyOf: inner.map((allOf) => ({ allOf })) }] : []
    }
    case '$exists': {
      const path = pathOf(expression.operands[0]!)
      if (!path) return []
      return [holds ? at(path, {}) : without(path)]
    }
    case '$empty': {
      const path = pathOf(expression.operands[0]!)
      const types = ['boolean', 'number', 'string', 'array', 'object']
      return path && !holds ? [at(path, { type: types, minLength: 1, minItems: 1, minProperties: 1 })] : []
    }
    case '$eq':
    case '$ne':
      return factsOfEqual(expression.operands, (expression.operator === '$eq') === holds)
    case '$lt':
    case '$le':
    case '$gt':
    case '$ge':
      return factsOfOrder(expression.operator, expression.operands, holds)
    default:
      return []
  }
}

/** The pointer of a reference without a default. */
function pathOf({ value }: Operand): readonly string[] | undefined {
  if (!isObject(value) || !isExpression(value)) return undefined
  const expression = toExpression(value)
  return 'malformed' in expression || expression.operator !== '$from' || expression.fallback
    ? undefined
    : expression.path
}

function factsOfEqual([left, right]: readonly Operand[], holds: boolean): JsonObject[] {
  const [path, other] = pathOf(left!) ? [pathOf(left!), right!] : [pathOf(right!), left!]
  if (!path || (typeof other.value === 'object' && other.value !== null)) return []
  return [holds ? at(path, { const: other.value }) : ifAny(path, { not: { const: other.value } })]
}

const flipped = { $lt: '$gt', $le: '$ge', $gt: '$lt', $ge: '$le' } as const
const negated = { $lt: '$ge', $le: '$gt', $gt: '$le', $ge: '$lt' } as const

/** A number, or the length of a text or list, beside a number that is written in the document. */
function factsOfOrder(written: keyof typeof flipped, [left, right]: readonly Operand[], holds: boolean): JsonObject[] {
  if (typeof left!.value === 'number') return factsOfOrder(flipped[written], [right!, left!], holds)
  if (typeof right!.value !== 'number') return []
  const operator = holds ? written : negated[written]
  const path = pathOf(left!)
  const bound = right!.value
  if (path) {
    const keyword = { $lt: 'exclusiveMaximum', $le: 'maximum', $gt: 'exclusiveMinimum', $ge: 'minimum' }[operator]
    return [at(path, { type: 'number', [keyword]: bound })]
  }
  const counted = lengthOf(left!)
  if (!counted || !Number.isSafeInteger(bound)) return []
  const [keyword, count] = { $lt: ['max', bound - 1], $le: ['max', bound], $gt: ['min', bound + 1], $ge: ['min', bound] }[operator] as [string, number] // biome-ignore format: one line
  return count < 0 ? [] : [at(counted, { [`${keyword}Items`]: count, [`${keyword}Length`]: count })]
}

function lengthOf({ value }: Operand): readonly string[] | undefined {
  if (!isObject(value) || !isExpression(value)) return undefined
  const expression = toExpression(value)
  if ('malformed' in expression || expression.operator !== '$length') return undefined
  return pathOf(expression.operands[0]!)
}

/** There is a value at the path, and it matches. */
function at(path: readonly string[], schema: JsonObject): JsonObject {
  return path.toReversed().reduce<JsonObject>((inner, name) => {
    const inObject = { type: 'object', required: [name], properties: { [name]: inner } }
    if (!isIndex(name)) return inObject
    return { anyOf: [inObject, { type: 'array', minItems: Number(name) + 1, ...itemAt(name, inner) }] }
  }, schema)
}

/** If there is a value at the path, it matches. */
function ifAny(path: readonly string[], schema: JsonObject | false): JsonObject {
  const inner = path.toReversed().reduce<JsonObject | boolean>((below, name) => {
    return { properties: { [name]: below }, ...(isIndex(name) && (below === false ? { maxItems: Number(name) } : itemAt(name, below))) } // biome-ignore format: one line
  }, schema)
  return inner as JsonObject
}

function without(path: readonly string[]): JsonObject {
  return ifAny(path, false)
}

const maxIndex = 63

/** Later items are not told apart. */
function itemAt(name: string, schema: JsonObject | boolean): JsonObject {
  const index = Number(name)
  return index > maxIndex ? {} : { prefixItems: [...Array.from({ length: index }, () => true), schema] }
}

function isIndex(name: string): boolean {
  return /^(?:0|[1-9]\d{0,8})$/.test(name)
}
