import { canonicalJson } from '../../contract/canonical-json.ts'
import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import { compileSchema, type Validator } from '../../contract/schema/compile-schema.ts'
import { pointerTo } from '../../contract/schema/json-pointer.ts'
import { type Expression, isExpression, type Operand, toExpression } from './expression.ts'

/** What expressions can refer to: `/input/…`, `/steps/ID/output/…` and so on. */
export interface Scope {
  readonly input: JsonObject
  readonly steps: { readonly [id: string]: StepOutcome }
  /** In the input of a step with `forEach`: the item, and its index. */
  readonly item?: JsonValue
  readonly index?: number
  readonly run: { readonly id: string; readonly startedAt: string }
}

/** What is known of a step that ended. */
interface StepOutcome {
  readonly output?: JsonValue
  readonly error?: { readonly code: string; readonly message: string }
  readonly skipped: boolean
}

export type Evaluated =
  | { readonly ok: true; readonly value: JsonValue }
  /** `pointer`: of the expression, relative to the value. */
  | { readonly ok: false; readonly pointer: string; readonly message: string }

/**
 * Evaluates the expressions in a value of a workflow. A property whose value is missing is left out. In a workflow that
 * `checkWorkflow` accepts, only `$check` can fail, and values beyond the limits.
 */
export async function evaluate(value: JsonValue, scope: Scope): Promise<Evaluated> {
  try {
    const validators = await compileChecks(value)
    const found = new Evaluation(scope, validators).value(value, '')
    if (found === undefined) throw new MappingFault('', 'The value is missing. Add a default.')
    return { ok: true, value: found }
  } catch (error) {
    if (!(error instanceof MappingFault)) throw error
    return { ok: false, pointer: error.pointer, message: error.message }
  }
}

class MappingFault extends Error {
  readonly pointer: string

  constructor(pointer: string, message: string) {
    super(message)
    this.pointer = pointer
  }
}

/** A value, or undefined if it is missing. */
type Found = JsonValue | undefined

/** Characters and items that one evaluation may make. */
const maxMade = 16_777_216

class Evaluation {
  readonly #scope: JsonObject
  readonly #validators: ReadonlyMap<unknown, Validator>
  #made = 0

  constructor(scope: Scope, validators: ReadonlyMap<unknown, Validator>) {
    this.#scope = scope as unknown as JsonObject
    this.#validators = validators
  }

  value(value: JsonValue, at: string): Found {
    if (Array.isArray(value)) return value.map((item, index) => this.#present({ value: item, at: `/${index}` }, at))
    if (!isObject(value)) return value
    if (isExpression(value)) return this.#expression(value, at)
    const made: JsonObject = {}
    for (const [key, part] of Object.entries(value)) {
      const found = this.value(part, pointerTo(at, key))
      if (found !== undefined) made[key] = found
    }
    return made
  }

  #expression(source: JsonObject, at: string): Found {
    const expression = toExpression(source)
    if ('malformed' in expression) throw new MappingFault(at + expression.at, expression.malformed)
    switch (expression.operator) {
      case '$literal':
        return expression.literal
      case '$from': {
        const found = lookUp(this.#scope, expression.path)
        if (found !== undefined || !expression.fallback) return found
        return this.value(expression.fallback.value, at + expression.fallback.at)
      }
      case '$join':
        return this.#join(expression, at)
      case '$truncate':
        return this.#cut(this.#present(expression.of, at), { start: 0, end: expression.max }, at)
      case '$slice':
        return this.#cut(this.#present(expression.of, at), expression, at)
      case '$pluck':
        return this.#count(this.#list(expression.of, at), at)
          .map((item) => lookUp(item, expression.path))
          .filter((found) => found !== undefined)
      case '$if': {
        const branch = this.#condition(expression.condition, at) ? 0 : 1
        return this.#maybe(expression.branches[branch]!, at)
      }
      case '$check':
        return this.#check(expression, at)
      case '$not':
        return !this.#condition(expression.operands[0]!, at)
      case '$and':
        return expression.operands.every((operand) => this.#condition(operand, at))
      case '$or':
        return expression.operands.some((operand) => this.#condition(operand, at))
      case '$exists':
        return this.#maybe(expression.operands[0]!, at) !== undefined
      case '$empty':
        return isEmpty(this.#maybe(expression.operands[0]!, at))
      case '$length':
        return this.#length(expression.operands[0]!, at)
      case '$concat':
        return this.#count(
          expression.operands.flatMap((operand) => this.#list(operand, at)),
          at,
        )
      case '$merge':
        return Object.assign({}, ...expression.operands.map((operand) => this.#object(operand, at)))
      case '$eq':
      case '$ne': {
        const [left, right] = expression.operands.map((operand) => this.#maybe(operand, at))
        return isEqual(left, right) === (expression.operator === '$eq')
      }
      default:
        return this.#compare(expression.operator, expression.operands, at)
    }
  }

  #maybe({ value, at }: Operand, base: string): Found {
    return this.value(value, base + at)
  }

  #present(operand: Operand, base: string): JsonValue {
    const found = this.#maybe(operand, base)
    if (found === undefined) throw new MappingFault(base + operand.at, 'The value is missing. Add a default.')
    return found
  }

  #condition(operand: Operand, base: string): boolean {
    const found = this.#present(operand, base)
    if (typeof found !== 'boolean') throw new MappingFault(base + operand.at, 'A condition must be true or false.')
    return found
  }

  #list(operand: Operand, base: string): JsonValue[] {
    const found = this.#present(operand, base)
    if (!Array.isArray(found)) throw new MappingFault(base + operand.at, 'The value is not a list.')
    return found
  }

  #object(operand: Operand, base: string): JsonObject {
    const found = this.#present(operand, base)
    if (!isObject(found)) throw new MappingFault(base + operand.at, 'The value is not an object.')
    this.#spend(Object.keys(found).length, base)
    return found
  }

  #join({ parts, separator }: Extract<Expression, { operator: '$join' }>, at: string): string {
    const texts = this.#list(parts, at).map((part) => {
      if (typeof part === 'string') return part
      if (typeof part === 'number') return String(part)
      throw new MappingFault(at + parts.at, '$join takes texts and numbers only.')
    })
    const length = texts.reduce((sum, text) => sum + text.length + separator.length, 0)
    this.#spend(length, at)
    return texts.join(separator)
  }

  #cut(found: JsonValue, { start, end = Number.MAX_SAFE_INTEGER }: { start: number; end?: number }, at: string) {
    if (Array.isArray(found)) return this.#count(found.slice(start, end), at)
    if (typeof found !== 'string') throw new MappingFault(at, 'Only a text or a list can be shortened.')
    return sliceText(found, start, end)
  }

  #length(operand: Operand, at: string): number {
    const found = this.#present(operand, at)
    if (typeof found === 'string') return countCharacters(found)
    if (Array.isArray(found)) return found.length
    throw new MappingFault(at + operand.at, '$length takes a text or a list.')
  }

  #check({ of, schema }: Extract<Expression, { operator: '$check' }>, at: string): JsonValue {
    const found = this.#present(of, at)
    const [problem] = this.#validators.get(schema)!.validate(found)
    if (problem) throw new MappingFault(`${at}/$check`, `The value does not match its $check: ${problem.message}`)
    return found
  }

  #compare(operator: '$lt' | '$le' | '$gt' | '$ge', operands: readonly Operand[], at: string): boolean {
    const [left, right] = operands.map((operand) => this.#present(operand, at))
    const isPair = (type: string) => [left, right].every((value) => typeof value === type)
    if (!isPair('number') && !isPair('string'))
      throw new MappingFault(at, `${operator} compares two numbers or two texts.`)
    const order = left! < right! ? -1 : left! > right! ? 1 : 0
    return { $lt: order < 0, $le: order <= 0, $gt: order > 0, $ge: order >= 0 }[operator]
  }

  #count(list: JsonValue[], at: string): JsonValue[] {
    this.#spend(list.length, at)
    return list
  }

  #spend(made: number, at: string): void {
    this.#made += made
    if (this.#made > maxMade) throw new MappingFault(at, 'The expressions make too much data. Truncate their values.')
  }
}

/** The value at a path; undefined if there is none. Sees own properties only. */
function lookUp(root: Found, path: readonly string[]): Found {
  let found: Found = root
  for (const segment of path) {
    if (Array.isArray(found)) found = /^(?:0|[1-9]\d*)$/.test(segment) ? found[Number(segment)] : undefined
    else found = isObject(found) && Object.hasOwn(found, segment) ? found[segment] : undefined
  }
  return found
}

/** Missing, null, and texts, lists and objects without content. */
function isEmpty(value: Found): boolean {
  if (value === undefined || value === null || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

/** A missing value equals nothing. */
function isEqual(left: Found, right: Found): boolean {
  if (left === undefined || right === undefined) return false
  return left === right || (typeof left === 'object' && canonicalJson(left) === canonicalJson(right))
}

/** Counts code points, as `maxLength` of JSON Schema does. */
function countCharacters(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

function sliceText(text: string, start: number, end: number): string {
  let [count, from, to] = [0, text.length, text.length]
  let at = 0
  for (const character of text) {
    if (count === start) from = at
    if (count === end) to = at
    if (count > start && count >= end) break
    count++
    at += character.length
  }
  return end <= start ? '' : text.slice(from, to)
}

/** Validators of every schema in `$check`, compiled in advance: evaluating is synchronous. */
async function compileChecks(value: JsonValue): Promise<Map<unknown, Validator>> {
  const validators = new Map<unknown, Validator>()
  for (const { schema, pointer } of findChecks(value, '')) {
    try {
      validators.set(schema, await compileSchema(schema))
    } catch (cause) {
      throw new MappingFault(`${pointer}/$check/1`, (cause as Error).message)
    }
  }
  return validators
}

export function findChecks(value: JsonValue, pointer: string): { schema: JsonObject | boolean; pointer: string }[] {
  if (typeof value !== 'object' || value === null) return []
  const expression = isExpression(value) ? toExpression(value as JsonObject) : undefined
  if (expression && 'malformed' in expression) return []
  if (expression?.operator === '$literal') return []
  if (expression?.operator !== '$check')
    return Object.entries(value).flatMap(([key, part]) => findChecks(part, pointerTo(pointer, key)))
  const { of, schema } = expression
  return [...findChecks(of.value, pointer + of.at), { schema: schema as JsonObject | boolean, pointer }]
}
