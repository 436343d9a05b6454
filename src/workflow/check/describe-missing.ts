import { isObject, type JsonValue } from '../../contract/json.ts'
import { isExpression, toExpression } from '../expression/expression.ts'
import type { Scope } from './infer.ts'
import { describeSource } from './source.ts'
import type { Type, Types } from './type.ts'

interface Missing {
  readonly missing: Type['missing']
  /** Why there must be a value: a clause. */
  readonly need: string
  readonly scope: Scope
  readonly types: Types
}

/** That a value may be missing where there must be one, why, and what to do. */
export function describeMissing(value: JsonValue, { missing, need, scope, types }: Missing): string {
  const what = describeSource(value)
  if (missing === 'always') return `${what} is always missing here, but ${need}. Refer to something else.`
  const why = findReason(value, scope, types)
  return `${what} may be missing${why}, but ${need}. Add a "default", or do this only if it exists, with "when" or $if.`
}

/** Whether it is because a step may have no output. */
function findReason(value: JsonValue, { place }: Scope, types: Types): string {
  if (!isObject(value) || !isExpression(value)) return ''
  const expression = toExpression(value)
  if ('malformed' in expression || expression.operator !== '$from') return ''
  const [root, id, part] = expression.path
  if (root !== 'steps' || part !== 'output') return ''
  const state = types.atPath({ place, missing: 'never' }, [root, id!])
  if (types.at(state, 'output').missing === 'never') return ''
  const mayFail = types.at(state, 'error').missing !== 'always'
  const maySkip = types.values(types.at(state, 'skipped').place)?.includes(true)
  if (mayFail && maySkip) return `, because the step '${id}' may be skipped or fail`
  return `, because the step '${id}' may ${mayFail ? 'fail' : 'be skipped'}`
}
