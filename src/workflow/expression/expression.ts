import { isObject, type JsonObject, type JsonSchema, type JsonValue } from '../../contract/json.ts'
import { fromPointer } from '../../contract/schema/json-pointer.ts'
import { nearest } from '../../contract/text/nearest.ts'
import { showText } from '../../contract/text/show-value.ts'

/** Operators of one value, of two, and of a list of values that is written in the document. */
const unary = ['$not', '$exists', '$empty', '$length'] as const
const binary = ['$eq', '$ne', '$lt', '$le', '$gt', '$ge'] as const
const variadic = ['$and', '$or', '$concat', '$merge'] as const
const others = ['$literal', '$from', '$join', '$truncate', '$slice', '$pluck', '$if', '$check'] as const
const operators = [...others, ...unary, ...binary, ...variadic] as const

type Uniform = (typeof unary)[number] | (typeof binary)[number] | (typeof variadic)[number]

/** A value in an expression, and its pointer relative to the expression. */
export interface Operand {
  readonly value: JsonValue
  readonly at: string
}

/** An object of the document whose only operator is known, taken apart. */
export type Expression =
  | { readonly operator: '$literal'; readonly literal: JsonValue }
  | { readonly operator: '$from'; readonly path: readonly string[]; readonly fallback?: Operand }
  | { readonly operator: '$join'; readonly parts: Operand; readonly separator: string }
  | { readonly operator: '$truncate'; readonly of: Operand; readonly max: number }
  | { readonly operator: '$slice'; readonly of: Operand; readonly start: number; readonly end?: number }
  | { readonly operator: '$pluck'; readonly of: Operand; readonly path: readonly string[] }
  | { readonly operator: '$if'; readonly condition: Operand; readonly branches: readonly Operand[] }
  | { readonly operator: '$check'; readonly of: Operand; readonly schema: JsonSchema | boolean }
  | { readonly operator: Uniform; readonly operands: readonly Operand[] }

/** Not an expression, although a key begins with `$`: what is wrong, and where, relative to the object. */
export interface Malformed {
  readonly malformed: string
  readonly at: string
}

/** Whether this is an expression: an object with a key that begins with `$`. */
export function isExpression(value: JsonObject | JsonValue[]): boolean {
  if (Array.isArray(value)) return false
  for (const key in value) if (key.startsWith('$')) return true
  return false
}

/** Takes an expression apart. Its operands are not looked at. */
export function toExpression(source: JsonObject): Expression | Malformed {
  const keys = Object.keys(source)
  const found = keys.filter((key) => key.startsWith('$'))
  const operator = operators.find((one) => one === found[0])
  if (operator === undefined) return malformed(toUnknown(found[0]!), `/${found[0]!}`)
  const extra = keys.find((key) => key !== operator && key !== companions[operator])
  if (extra !== undefined) return malformed(toExtra(operator, extra), '')
  return take(operator, source)
}

/** The one other key that an expression may have. */
const companions: { readonly [operator: string]: string } = { $from: 'default', $join: 'with' }

function take(operator: (typeof operators)[number], source: JsonObject): Expression | Malformed {
  const given = source[operator]!
  const at = `/${operator}`
  const wrong = (form: string) => malformed(`${operator} is written as ${form}.`, at)
  switch (operator) {
    case '$literal':
      return { operator, literal: given }
    case '$from': {
      const path = typeof given === 'string' ? fromPointer(given) : undefined
      if (!path || path.length === 0) return wrong('{ "$from": "/input/NAME" }, a JSON pointer')
      return { operator, path, ...('default' in source && { fallback: { value: source.default!, at: '/default' } }) }
    }
    case '$join': {
      const separator = source.with ?? ''
      if (typeof separator !== 'string') return malformed('The "with" of $join is a text.', '/with')
      return { operator, parts: { value: given, at }, separator }
    }
    case '$truncate': {
      if (!Array.isArray(given) || given.length !== 2 || !isCount(given[1])) return wrong('[VALUE, MAX]')
      return { operator, of: operandIn(given, at, 0), max: given[1] }
    }
    case '$slice': {
      if (!Array.isArray(given) || given.length < 2 || given.length > 3 || !given.slice(1).every(isCount))
        return wrong('[VALUE, START] or [VALUE, START, END]')
      const [, start, end] = given as [JsonValue, number, number?]
      return { operator, of: operandIn(given, at, 0), start, ...(end !== undefined && { end }) }
    }
    case '$pluck': {
      const path = Array.isArray(given) && given.length === 2 && typeof given[1] === 'string' && fromPointer(given[1])
      if (!path) return wrong('[LIST, "/NAME"], a JSON pointer into each item')
      return { operator, of: operandIn(given as JsonValue[], at, 0), path }
    }
    case '$if': {
      if (!Array.isArray(given) || given.length !== 3) return wrong('[CONDITION, THEN, ELSE]')
      const [condition, ...branches] = [0, 1, 2].map((index) => operandIn(given, at, index))
      return { operator, condition: condition!, branches }
    }
    case '$check': {
      const schema = Array.isArray(given) && given.length === 2 ? given[1]! : null
      if (!isObject(schema) && typeof schema !== 'boolean') return wrong('[VALUE, SCHEMA]')
      return { operator, of: operandIn(given as JsonValue[], at, 0), schema }
    }
    default:
      return takeUniform(operator, given, wrong)
  }
}

function takeUniform(operator: Uniform, given: JsonValue, wrong: (form: string) => Malformed): Expression | Malformed {
  const at = `/${operator}`
  if ((unary as readonly string[]).includes(operator)) return { operator, operands: [{ value: given, at }] }
  const isPair = (binary as readonly string[]).includes(operator)
  if (!Array.isArray(given) || (isPair ? given.length !== 2 : given.length === 0))
    return wrong(isPair ? '[VALUE, VALUE]' : 'a list of at least one value')
  return { operator, operands: given.map((_, index) => operandIn(given, at, index)) }
}

function operandIn(list: readonly JsonValue[], at: string, index: number): Operand {
  return { value: list[index]!, at: `${at}/${index}` }
}

function isCount(value: JsonValue | undefined): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function malformed(message: string, at: string): Malformed {
  return { malformed: message, at }
}

function toUnknown(key: string): string {
  const near = nearest(key, operators)
  const advice = near ? `Did you mean ${near}?` : 'Wrap the object in $literal if it is meant as it is.'
  return `There is no operator '${showText(key)}'. ${advice}`
}

function toExtra(operator: string, key: string): string {
  const allowed = companions[operator]
  const rule = allowed ? `only "${allowed}" may stand beside it` : 'no other key may stand beside it'
  return `An object with ${operator} is an expression: ${rule}, but there is '${showText(key)}'. Move it out of the expression.`
}
