import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import { fromPointer } from '../../contract/schema/json-pointer.ts'
import { evaluate, type Scope } from '../expression/evaluate.ts'
import { isExpression } from '../expression/expression.ts'

/** What is known before a run: its input, and the steps that are skipped for certain. */
export type KnownScope = Omit<Scope, 'run'>

/** Whether a value depends on nothing that only the run can tell. */
export function isKnown(value: JsonValue, scope: KnownScope): boolean {
  if (Array.isArray(value)) return value.every((part) => isKnown(part, scope))
  if (!isObject(value)) return true
  if (isExpression(value)) {
    if ('$literal' in value) return true
    if (typeof value.$from === 'string' && !isKnownPath(fromPointer(value.$from) ?? [], scope)) return false
  }
  return Object.values(value).every((part) => isKnown(part, scope))
}

function isKnownPath([root, id]: readonly string[], { steps, index }: KnownScope): boolean {
  if (root === 'steps') return id !== undefined && Object.hasOwn(steps, id)
  if (root === 'item' || root === 'index') return index !== undefined
  return root === 'input'
}

/** A value whose expressions are evaluated as far as they are known; the others stay as they are written. */
export async function toKnown(value: JsonValue, scope: KnownScope): Promise<JsonValue> {
  if (isKnown(value, scope)) {
    const made = await evaluateKnown(value, scope)
    return made.ok ? made.value : value
  }
  if (!isObject(value) || isExpression(value)) return value
  const parts: JsonObject = {}
  for (const [key, part] of Object.entries(value)) parts[key] = await toKnown(part, scope)
  return parts
}

/** Evaluates a value that is known. */
export function evaluateKnown(value: JsonValue, scope: KnownScope) {
  return evaluate(value, { ...scope, run: { id: '', startedAt: '' } })
}
