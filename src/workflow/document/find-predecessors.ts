import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import { isExpression, toExpression } from '../expression/expression.ts'
import { isCall, type Step, type Workflow } from './workflow.ts'

/** The steps that must have ended before each step: those in `after`, and those that its expressions refer to. */
export function findPredecessors({ steps }: Workflow): ReadonlyMap<string, readonly string[]> {
  const ids = new Set(steps.map(({ id }) => id))
  return new Map(
    steps.map((step) => {
      const found = new Set([...step.after, ...expressionsOf(step).flatMap(findReferences)])
      found.delete(step.id)
      return [step.id, [...found].filter((id) => ids.has(id))]
    }),
  )
}

function expressionsOf(step: Step): JsonValue[] {
  const when = step.when === undefined ? [] : [step.when]
  if (!isCall(step)) return 'until' in step.wait ? [...when, step.wait.until] : when
  const { input, forEach, onError } = step
  return [...when, input, ...(forEach ? [forEach.in] : []), ...(typeof onError === 'object' ? [onError.input] : [])]
}

/** The ids of the steps that the expressions in a value refer to. */
function findReferences(value: JsonValue): string[] {
  if (Array.isArray(value)) return value.flatMap(findReferences)
  if (!isObject(value)) return []
  if (!isExpression(value)) return Object.values(value).flatMap(findReferences)
  const expression = toExpression(value as JsonObject)
  if ('malformed' in expression || expression.operator === '$literal') return []
  switch (expression.operator) {
    case '$from': {
      const [root, id] = expression.path
      const own = root === 'steps' && id !== undefined ? [id] : []
      return [...own, ...(expression.fallback ? findReferences(expression.fallback.value) : [])]
    }
    case '$join':
      return findReferences(expression.parts.value)
    case '$truncate':
    case '$slice':
    case '$pluck':
    case '$check':
      return findReferences(expression.of.value)
    case '$if':
      return [expression.condition, ...expression.branches].flatMap((operand) => findReferences(operand.value))
    default:
      return expression.operands.flatMap((operand) => findReferences(operand.value))
  }
}
