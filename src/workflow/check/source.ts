import { isObject, type JsonValue } from '../../contract/json.ts'
import { pointerTo } from '../../contract/schema/json-pointer.ts'
import { showText, showValue } from '../../contract/text/show-value.ts'
import { isExpression, toExpression } from '../expression/expression.ts'

/** A value of the document, for people: the pointer of a reference, otherwise what is written. */
export function describeSource(value: JsonValue): string {
  if (!isObject(value) || !isExpression(value)) return showValue(value, 60)
  const expression = toExpression(value)
  if ('malformed' in expression) return 'this value'
  if (expression.operator === '$from') return showText(expression.path.reduce(pointerTo, ''), 200)
  if (expression.operator === '$literal') return showValue(expression.literal, 60)
  return `this ${expression.operator}`
}

/** Whether a value has no expression in it, except literals. */
export function isConstant(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (!Array.isArray(value) && isExpression(value)) return '$literal' in value
  return Object.values(value).every(isConstant)
}
