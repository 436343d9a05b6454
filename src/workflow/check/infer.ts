import { openDocument, type Place } from '../../contract/diff/document.ts'
import type { Kind } from '../../contract/diff/kind.ts'
import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import { pointerTo } from '../../contract/schema/json-pointer.ts'
import { type Expression, isExpression, type Operand, toExpression } from '../expression/expression.ts'
import { toCheck } from './describe-lack.ts'
import { describeMissing } from './describe-missing.ts'
import { factsOf } from './facts.ts'
import {
  areEqual,
  toConcatenated,
  toCut,
  toEmptiness,
  toJoined,
  toLength,
  toMerged,
  toPlucked,
} from './operator-types.ts'
import { findReferenceProblem } from './references.ts'
import { describeSource } from './source.ts'
import {
  listOf,
  narrowed,
  objectOf,
  oneOf,
  orElse,
  type Type,
  type Types,
  truth,
  typeOf,
  typeOfValue,
  unclear,
} from './type.ts'
import { describeType } from './words.ts'

/** What expressions can refer to at a place of the workflow, as a type of the scope that `evaluate` gets. */
export interface Scope {
  readonly place: Place
  /** Ids of the steps that can be referred to, and of all others. */
  readonly earlier: readonly string[]
  readonly later: readonly string[]
  /** Ids of steps whose output is not known, because a problem was reported. */
  readonly unclear: readonly string[]
  /** The step itself, if it is one. */
  readonly self?: string
}

/** In `Scope.unclear`: the item of the list, which no step can be named. */
export const unclearItem = '/item'

export type Report = (pointer: string, message: string) => void

/** Infers the types of expressions, and reports what is wrong inside them. */
export class Inference {
  readonly types: Types
  readonly report: Report

  constructor(types: Types, report: Report) {
    this.types = types
    this.report = report
  }

  /** The type of a value in the document. */
  infer(value: JsonValue, at: string, scope: Scope): Type {
    if (Array.isArray(value)) return this.#list(value, at, scope)
    if (!isObject(value)) return typeOfValue(value)
    if (isExpression(value)) return this.#expression(value, at, scope)
    return objectOf(Object.entries(value).map(([key, part]) => [key, this.infer(part, pointerTo(at, key), scope)]))
  }

  #list(value: readonly JsonValue[], at: string, scope: Scope): Type {
    const items = value.map((item, index) =>
      this.present({ value: item, at: `/${index}` }, at, scope, 'an item of a list cannot be missing'),
    )
    return listOf(items)
  }

  /** A value that must not be missing. */
  present(operand: Operand, base: string, scope: Scope, need = 'a value is needed'): Type {
    const found = this.infer(operand.value, base + operand.at, scope)
    if (found.missing === 'never' || found.isWrong) return found
    this.report(
      base + operand.at,
      describeMissing(operand.value, { missing: found.missing, scope, types: this.types, need }),
    )
    return { ...found, missing: 'never', isWrong: true }
  }

  /** A condition, and whether it is known to be true or false. */
  condition(operand: Operand, base: string, scope: Scope): boolean | undefined {
    const found = this.present(operand, base, scope)
    if (!this.isOf(found, ['boolean'], { operand, base, wanted: 'A condition is true or false' })) return undefined
    const values = this.types.values(found.place)
    return values?.length === 1 ? (values[0] as boolean) : undefined
  }

  /** The scope in which a condition is known to hold, or not to. */
  assume(scope: Scope, condition: JsonValue, holds: boolean): Scope {
    const facts = factsOf(condition, holds)
    return facts.length === 0 ? scope : { ...scope, place: narrowed(scope.place, ...facts) }
  }

  /** Whether a value is always of one of these kinds. Reports it otherwise. */
  isOf(type: Type, kinds: readonly Kind[], { operand, base, wanted }: Wanted): boolean {
    if (type.isWrong) return false
    if ([...this.types.kinds(type.place)].every((kind) => kinds.includes(kind))) return true
    const found = describeType(type.place, this.types)
    const isNever = [...this.types.kinds(type.place)].every((kind) => !kinds.includes(kind))
    const names = kinds.filter((kind) => kind !== 'fraction').map((kind) => (kind === 'integer' ? 'number' : kind))
    const advice = isNever
      ? 'Give another value.'
      : toCheck(operand.value, { type: names.length === 1 ? names[0]! : names })
    this.report(base + operand.at, `${wanted}, but ${describeSource(operand.value)} ${isNever ? 'is' : 'may be'} ${found}. ${advice}`) // biome-ignore format: one line
    return false
  }

  #expression(source: JsonObject, at: string, scope: Scope): Type {
    const expression = toExpression(source)
    if ('malformed' in expression) {
      this.report(at + expression.at, expression.malformed)
      return unclear
    }
    switch (expression.operator) {
      case '$literal':
        return typeOfValue(expression.literal)
      case '$from':
        return this.#from(expression, at, scope)
      case '$join':
        return this.#join(expression, at, scope)
      case '$truncate':
        return this.#cut(expression.of, { start: 0, end: expression.max }, { at, scope, operator: '$truncate' })
      case '$slice':
        return this.#cut(expression.of, expression, { at, scope, operator: '$slice' })
      case '$pluck':
        return this.#pluck(expression, at, scope)
      case '$if':
        return this.#if(expression, at, scope)
      case '$check':
        return this.#check(expression, at, scope)
      case '$not': {
        const known = this.condition(expression.operands[0]!, at, scope)
        return known === undefined ? truth : typeOfValue(!known)
      }
      case '$and':
      case '$or':
        return this.#connect(expression.operator, expression.operands, { at, scope })
      case '$exists': {
        const { missing, isWrong } = this.#maybe(expression.operands[0]!, at, scope)
        return missing === 'maybe' || isWrong ? truth : typeOfValue(missing === 'never')
      }
      case '$empty':
        return toEmptiness(this.types, this.#maybe(expression.operands[0]!, at, scope))
      case '$length':
        return this.#length(expression.operands[0]!, at, scope)
      case '$concat':
        return this.#concat(expression.operands, at, scope)
      case '$merge':
        return this.#merge(expression.operands, at, scope)
      case '$eq':
      case '$ne':
        return this.#equal(expression.operator, expression.operands, { at, scope })
      default:
        return this.#order(expression.operator, expression.operands, { at, scope })
    }
  }

  #maybe({ value, at }: Operand, base: string, scope: Scope): Type {
    return this.infer(value, base + at, scope)
  }

  #from({ path, fallback }: Extract<Expression, { operator: '$from' }>, at: string, scope: Scope): Type {
    const fault = findReferenceProblem(path, scope, this.types)
    if (fault) {
      this.report(`${at}/$from`, fault)
      if (fallback) this.#maybe(fallback, at, scope)
      return unclear
    }
    const found = this.reference(path, scope)
    return fallback ? orElse(found, this.#maybe(fallback, at, scope)) : found
  }

  /** The type of what a pointer refers to. */
  reference(path: readonly string[], { place, unclear: ids }: Scope): Type {
    const [root, ...rest] = path
    if (root === 'item' && ids.includes(unclearItem)) return unclear
    if (root === 'steps' && ids.includes(rest[0]!) && rest[1] !== 'skipped' && rest[1] !== 'error') return unclear
    const first = this.types.at({ place, missing: 'never' }, root!)
    return this.types.atPath(root === 'input' ? { ...first, isFilled: true } : first, rest)
  }

  #join({ parts, separator }: Extract<Expression, { operator: '$join' }>, at: string, scope: Scope): Type {
    const list = this.present(parts, at, scope)
    const wanted = '$join takes a list of strings and numbers'
    if (!this.isOf(list, ['array'], { operand: parts, base: at, wanted }))
      return { ...typeOf({ type: 'string' }), isWrong: true }
    const written = Array.isArray(parts.value) ? parts.value : undefined
    const operands = written?.map((value, index) => ({ value, at: `${parts.at}/${index}` })) ?? [parts]
    const items = written ? written.map((_, index) => this.types.at(list, String(index))) : [this.types.item(list)]
    const areTexts = items.map((item, index) => {
      const operand = operands[index]!
      return this.isOf(item, ['string', 'integer', 'fraction'], { operand, base: at, wanted })
    })
    if (areTexts.includes(false)) return { ...typeOf({ type: 'string' }), isWrong: true }
    return toJoined(this.types, { list, items, isWritten: written !== undefined, separator })
  }

  #cut(operand: Operand, { start, end = Number.POSITIVE_INFINITY }: Range, { at, scope, operator }: CutAt): Type {
    const found = this.present(operand, at, scope)
    const wanted = `${operator} takes a string or a list`
    if (!this.isOf(found, ['string', 'array'], { operand, base: at, wanted })) return unclear
    return toCut(this.types, found, { start, end })
  }

  #pluck({ of, path }: Extract<Expression, { operator: '$pluck' }>, at: string, scope: Scope): Type {
    const list = this.present(of, at, scope)
    if (!this.isOf(list, ['array'], { operand: of, base: at, wanted: '$pluck takes a list' })) return unclear
    const item = this.types.item(list)
    const found = this.types.atPath(item, path)
    if (found.missing === 'always' && item.missing !== 'always')
      this.report(`${at}/$pluck/1`, `No item of ${describeSource(of.value)} has this. Correct the pointer.`)
    return toPlucked(this.types, list, found)
  }

  #if({ condition, branches }: Extract<Expression, { operator: '$if' }>, at: string, scope: Scope): Type {
    const known = this.condition(condition, at, scope)
    const found = branches.map((branch, index) =>
      this.#maybe(branch, at, this.assume(scope, condition.value, index === 0)),
    )
    if (known !== undefined) return found[known ? 0 : 1]!
    return oneOf(found)
  }

  #check({ of, schema }: Extract<Expression, { operator: '$check' }>, at: string, scope: Scope): Type {
    const found = this.present(of, at, scope)
    const opened = openDocument(schema, `${at}/$check/1`)
    // What is wrong with the schema itself is reported with all others.
    if (typeof opened === 'string' || found.isWrong) return unclear
    const place = narrowed(found.place, opened)
    if (!this.types.isImpossible(place)) return { place, missing: 'never' }
    const words = [found.place, opened].map((one) => describeType(one, this.types))
    this.report(`${at}/$check`, `This $check always fails: ${describeSource(of.value)} is ${words[0]}, and the schema accepts only ${words[1]}. Correct one of them.`) // biome-ignore format: one line
    return unclear
  }

  #connect(operator: '$and' | '$or', operands: readonly Operand[], { at, scope }: At): Type {
    const ending = operator === '$or'
    let inner = scope
    let isOpen = false
    for (const operand of operands) {
      const known = this.condition(operand, at, inner)
      if (known === ending) return typeOfValue(ending)
      if (known === undefined) isOpen = true
      inner = this.assume(inner, operand.value, !ending)
    }
    return isOpen ? truth : typeOfValue(!ending)
  }

  #length(operand: Operand, at: string, scope: Scope): Type {
    const found = this.present(operand, at, scope)
    const count = { ...typeOf({ type: 'integer', minimum: 0 }), isWrong: true } as const
    const wanted = '$length takes a string or a list'
    if (!this.isOf(found, ['string', 'array'], { operand, base: at, wanted })) return count
    return toLength(this.types, found)
  }

  #concat(operands: readonly Operand[], at: string, scope: Scope): Type {
    const lists = operands.map((operand) => this.present(operand, at, scope))
    const areLists = lists.map((list, index) =>
      this.isOf(list, ['array'], { operand: operands[index]!, base: at, wanted: '$concat takes lists' }),
    )
    if (areLists.includes(false)) return unclear
    return toConcatenated(this.types, lists)
  }

  #merge(operands: readonly Operand[], at: string, scope: Scope): Type {
    const objects = operands.map((operand) => this.present(operand, at, scope))
    const areObjects = objects.map((type, index) =>
      this.isOf(type, ['object'], { operand: operands[index]!, base: at, wanted: '$merge takes objects' }),
    )
    return areObjects.includes(false) ? unclear : toMerged(this.types, objects)
  }

  #equal(operator: '$eq' | '$ne', operands: readonly Operand[], { at, scope }: At): Type {
    const [left, right] = operands.map((operand) => this.#maybe(operand, at, scope)) as [Type, Type]
    const isEqual = areEqual(this.types, left, right)
    if (isEqual === undefined) return truth
    return typeOfValue(isEqual === (operator === '$eq'))
  }

  #order(operator: '$lt' | '$le' | '$gt' | '$ge', operands: readonly Operand[], { at, scope }: At): Type {
    const sides = operands.map((operand) => this.present(operand, at, scope))
    if (sides.some(({ isWrong }) => isWrong)) return truth
    const kinds = sides.map(({ place }) => this.types.kinds(place))
    const areAll = (allowed: readonly Kind[]) =>
      kinds.every((found) => [...found].every((kind) => allowed.includes(kind)))
    if (!areAll(['integer', 'fraction']) && !areAll(['string'])) {
      const words = sides.map(({ place }) => describeType(place, this.types))
      this.report(
        at,
        `${operator} compares two numbers or two strings, but these may be ${words[0]} and ${words[1]}. Correct one of them.`,
      )
    }
    return truth
  }
}

interface At {
  readonly at: string
  readonly scope: Scope
}

interface CutAt extends At {
  readonly operator: string
}

interface Range {
  readonly start: number
  readonly end?: number
}

interface Wanted {
  readonly operand: Operand
  readonly base: string
  readonly wanted: string
}
