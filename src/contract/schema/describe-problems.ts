import type { ErrorObject } from 'ajv'
import type { JsonObject } from '../json.ts'
import type { Problem } from '../tool-error.ts'
import { isMeantFor } from './describe-schema.ts'
import { type AjvSchema, resolveReference } from './to-ajv-schema.ts'
import { wordProblem } from './word-problem.ts'

const maxProblems = 20

export const tooManySteps: Problem = {
  pointer: '',
  keyword: 'steps',
  expected: 'a value that can be checked in bounded time',
  message: 'The value takes too many steps to check against its schema. Send a smaller or flatter value.',
}

export const unexplained: Problem = {
  pointer: '',
  keyword: 'schema',
  expected: 'a value that matches the schema',
  message: 'The value does not match its schema. Compare it with the schema and correct it.',
}

/**
 * Turns ajv's errors into problems that a model can act on: sorted, deduplicated, at most 20. A union yields one
 * problem, or those of the branch that the value was meant for, but never those of all branches.
 */
export function describeProblems(errors: readonly ErrorObject[], root: AjvSchema): Problem[] {
  const problems = new Map<string, Problem>()
  for (const error of new Collapse(root).run(errors)) {
    const problem = wordProblem(error, root)
    problems.set(`${problem.pointer} ${problem.message}`, problem)
    if (problems.size === maxProblems) break
  }
  return [...problems.values()]
}

/** Drops the errors of subschemas if the error of the enclosing keyword, which follows them, is enough. */
class Collapse {
  readonly #root: AjvSchema
  readonly #reaches = new Map<AjvSchema, ReadonlySet<unknown>>()

  constructor(root: AjvSchema) {
    this.#root = root
  }

  run(errors: readonly ErrorObject[]): ErrorObject[] {
    const kept: ErrorObject[][] = []
    for (let at = errors.length - 1; at >= 0; at--) {
      const error = errors[at]!
      // `then` and `else` report their own errors.
      if (error.keyword === 'if') continue
      const parts = partsOf(error)
      let start = at
      while (start > 0 && parts.some((part) => this.#isInside(errors[start - 1]!, error, part))) start--
      kept.push(parts.length === 0 ? [error] : this.#explain(error, parts, errors.slice(start, at)))
      at = start
    }
    return kept.reverse().flat()
  }

  /** The errors of the branch that the value was meant for, otherwise the error of the union itself. */
  #explain(error: ErrorObject, parts: AjvSchema[], inner: ErrorObject[]): ErrorObject[] {
    if (error.keyword === 'contains' || error.keyword === 'propertyNames') return [error]
    const [meant, other] = parts.filter((part) => isMeantFor(part, error.data, this.#root))
    if (meant === undefined || other !== undefined) return [error]
    const own = this.run(inner.filter((candidate) => this.#isInside(candidate, error, meant)))
    return own.length > 0 ? own : [error]
  }

  #isInside(inner: ErrorObject, outer: ErrorObject, part: AjvSchema): boolean {
    const path = inner.instancePath
    if (path !== outer.instancePath && !path.startsWith(`${outer.instancePath}/`)) return false
    return inner.parentSchema === undefined || this.#reach(part).has(inner.parentSchema)
  }

  /** Every schema object reachable from a subschema, including references. */
  #reach(part: AjvSchema): ReadonlySet<unknown> {
    const known = this.#reaches.get(part)
    if (known) return known
    const found = new Set<unknown>()
    const waiting: unknown[] = [part]
    while (waiting.length > 0) {
      const next = waiting.pop()
      if (typeof next !== 'object' || next === null || found.has(next)) continue
      found.add(next)
      const { $ref } = next as JsonObject
      if (typeof $ref === 'string') waiting.push(resolveReference(this.#root, $ref))
      for (const value of Object.values(next)) waiting.push(value)
    }
    this.#reaches.set(part, found)
    return found
  }
}

function partsOf({ keyword, schema, params }: ErrorObject): AjvSchema[] {
  if (keyword === 'anyOf' || (keyword === 'oneOf' && !params.passingSchemas)) return schema as AjvSchema[]
  return keyword === 'contains' || keyword === 'propertyNames' ? [schema as AjvSchema] : []
}
