import type { Place } from '../../contract/diff/document.ts'
import { type Lack, nothing, property, reportedBefore, tooComplex } from '../../contract/diff/lack.ts'
import type { JsonObject, JsonValue } from '../../contract/json.ts'
import { listValues } from '../../contract/schema/describe-schema.ts'
import { showText, showValue } from '../../contract/text/show-value.ts'
import { isExpression } from '../expression/expression.ts'
import { describeSource, isConstant } from './source.ts'
import { narrowed, type Type, type Types } from './type.ts'
import { describeFormat, describeType } from './words.ts'

interface About {
  /** The type of the value, or of the branch of it that does not fit. */
  readonly place: Place
  readonly value: JsonValue
  readonly target: { readonly place: Place; readonly taker: string }
  readonly types: Types
}

/** What a value can be that is not accepted, what is accepted, and what to do, as sentences. */
export function describeLack(lacks: readonly Lack[], about: About): string {
  const lack = lacks.find(({ keyword }) => keyword !== reportedBefore)
  const { place, value, target, types } = about
  const source = describeSource(value)
  if (!lack || lack.keyword === tooComplex)
    return `${source} cannot be compared with what ${target.taker} takes, which is too complex. ${toCheck(value)}`
  const produced = walk(place, lack.path, types)
  const accepted = walk(target.place, lack.path, types)
  const subject = lack.path === '' ? source : `${showText(toInside(lack.path), 100)} of ${source}`
  const isNever = produced !== undefined && accepted !== undefined && types.isImpossible(narrowed(produced, accepted))
  const isWritten = lack.path === '' && isConstant(value)
  const verb = isWritten ? 'does not fit' : isNever ? 'is' : 'may be'
  const question = { lack, subject, taker: target.taker, produced, accepted, types, verb }
  const size = findSize(lack, produced, types)
  const inner = isNever ? 'Give another value.' : toCheck(value)
  const advice = lack.path === '' ? toAdvice(lack, { ...about, isNever: isNever || size !== undefined }) : inner
  return `${toWords({ ...question, size })} ${advice}`
}

interface Question {
  readonly lack: Lack
  readonly subject: string
  readonly taker: string
  readonly produced: Place | undefined
  readonly accepted: Place | undefined
  readonly types: Types
  /** Whether it may be, or is. */
  readonly verb: string
  /** Its size, if no value has the right one. */
  readonly size?: string | undefined
}

function toWords(question: Question): string {
  const { lack, subject, taker, produced, accepted, types, size } = question
  const { keyword, wanted, name = '' } = lack
  const isWritten = question.verb === 'does not fit'
  const given = isWritten ? '' : ` ${produced ? toAny(describeType(produced, types), keyword) : 'something else'}`
  const verb = question.verb + given
  const number = Number(wanted)
  switch (keyword) {
    case 'type':
    case 'anyOf':
    case 'oneOf':
      return `${subject} ${verb}; ${taker} takes only ${accepted ? describeType(accepted, types) : showValue(wanted)}.` // biome-ignore format: one line
    case 'enum':
      return `${subject} ${verb}; ${taker} takes only ${listChoices(wanted as JsonValue[])}.`
    case 'const':
      return `${subject} ${verb}; ${taker} takes only ${showValue(wanted)}.`
    case 'format':
      return `${subject} ${verb}; ${taker} takes only ${describeFormat(wanted!)}.`
    case 'pattern':
      return `${subject} ${verb}; ${taker} takes only a string that matches ${showText(String(wanted), 100)}.` // biome-ignore format: one line
    case 'minimum':
      return `${subject} may be less than ${number}; ${taker} takes ${number} or more.`
    case 'exclusiveMinimum':
      return `${subject} may be ${number} or less; ${taker} takes only more than ${number}.`
    case 'maximum':
      return `${subject} may be more than ${number}; ${taker} takes at most ${number}.`
    case 'exclusiveMaximum':
      return `${subject} may be ${number} or more; ${taker} takes only less than ${number}.`
    case 'multipleOf':
      return `${subject} may be no multiple of ${number}; ${taker} takes only multiples of ${number}.`
    case 'minLength':
    case 'minItems':
    case 'minProperties':
      if (number === 1) return `${subject} ${size ? 'is' : 'may be'} empty; ${taker} takes at least ${count(1, units[keyword])}.` // biome-ignore format: one line
      return `${subject} ${size ?? `may have fewer than ${count(number, units[keyword])}`}; ${taker} takes at least ${number}.` // biome-ignore format: one line
    case 'maxLength':
    case 'maxItems':
    case 'maxProperties':
      return `${subject} ${size ?? `may have more than ${count(number, units[keyword])}`}; ${taker} takes at most ${number}.` // biome-ignore format: one line
    case 'uniqueItems':
      return `${subject} may have an item twice; ${taker} takes each item only once.`
    case 'required':
      return `${subject} may have no '${showText(name)}', which ${taker} requires.`
    case property:
      if (lack.found !== undefined) return `${subject} may have '${showText(name)}', which ${taker} does not take.`
      return `${subject} may have any '${showText(name)}'; ${taker} takes only some.`
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return `${subject} may have properties that ${taker} does not take.`
    case 'dependentRequired':
      return `${subject} may have '${showText(name)}' without the properties that ${taker} requires with it.`
    case 'not':
      return `${subject} may be a value that ${taker} excludes ("not").`
    case nothing:
      return `${taker} takes no value here, but ${subject} is one.`
    default:
      return `${subject} may not satisfy "${showText(keyword)}", which ${taker} requires.`
  }
}

const units = {
  minLength: 'character',
  maxLength: 'character',
  minItems: 'item',
  maxItems: 'item',
  minProperties: 'property',
  maxProperties: 'property',
} as const

function count(number: number, unit: string): string {
  return `${number} ${number === 1 ? unit : unit.replace(/y$/, 'ie').concat('s')}`
}

function listChoices(values: readonly JsonValue[]): string {
  return values.length === 1 ? showValue(values[0]) : `one of ${listValues(values, 8)}`
}

/** Any string, if not every string is taken. */
function toAny(words: string, keyword: string): string {
  return words === 'a string' && keyword !== 'type' ? 'any string' : words
}

/** The size of a value that always has too many or too few characters, items or properties. */
function findSize({ keyword, wanted }: Lack, produced: Place | undefined, types: Types): string | undefined {
  const [, end, what] = /^(min|max)(Length|Items)$/.exec(keyword) ?? []
  if (!produced || !end) return undefined
  const kind = what === 'Length' ? 'string' : 'array'
  const [least, most] = (['min', 'max'] as const).map((one) => types.bound(produced, kind, `${one}${what as 'Items'}`))
  const isNever = end === 'min' ? most! < Number(wanted) : least! > Number(wanted)
  if (!isNever) return undefined
  const unit = units[keyword as 'minItems']
  if (least === most) return `has ${count(least!, unit)}`
  return end === 'min' ? `has at most ${count(most!, unit)}` : `has at least ${count(least!, unit)}`
}

/** What to write instead, for the whole value. */
function toAdvice(lack: Lack, { place, value, target, types, isNever }: About & { readonly isNever: boolean }): string {
  const { keyword, wanted } = lack
  const shown = toShown(value)
  if (isWritten(value)) return toWrittenAdvice(value, types.kinds(target.place))
  if (keyword === 'maxLength' || keyword === 'maxItems')
    return `Shorten it: {"$truncate": [${shown}, ${Number(wanted)}]}.`
  if (keyword === nothing) return 'Leave it out.'
  if (keyword === property || keyword === 'additionalProperties' || keyword === 'unevaluatedProperties')
    return 'Write an object with only the properties that it takes.'
  const [from, to] = [types.kinds(place), types.kinds(target.place)]
  const areAll = (kinds: ReadonlySet<string>, ...names: string[]) => [...kinds].every((kind) => names.includes(kind))
  if (areAll(from, 'integer', 'fraction') && !to.has('integer') && to.has('string'))
    return `Make it a string: {"$join": [${shown}]}.`
  if (areAll(from, 'array') && !to.has('array'))
    return 'Refer to one of its items, or call the tool for each with forEach.'
  if (!from.has('array') && areAll(to, 'array')) return `Put it into a list: [${shown}].`
  if (areAll(from, 'object') && !to.has('object')) return 'Refer to one of its properties.'
  if (isNever) return 'Give another value.'
  return toCheck(value, simple.has(keyword) ? { [keyword]: wanted! } : undefined)
}

/** Whether the value is no expression, although there may be expressions in it. */
function isWritten(value: JsonValue): boolean {
  return isConstant(value) || Array.isArray(value) || !isExpression(value as JsonObject)
}

/** For a value that is written in the document. */
function toWrittenAdvice(value: JsonValue, kinds: ReadonlySet<string>): string {
  if (typeof value === 'number' && kinds.has('string') && !kinds.has('integer')) return 'Put it in quotes.'
  return 'Write another value.'
}

/** Keywords that say enough by themselves. */
const simple = new Set(
  'type enum const format pattern minimum exclusiveMinimum maximum exclusiveMaximum multipleOf minLength minItems minProperties maxProperties uniqueItems'.split(
    ' ',
  ),
)

export function toCheck(value: JsonValue, schema?: JsonObject): string {
  const text = schema === undefined ? '' : JSON.stringify(schema)
  const shown = text.length > 0 && text.length <= 100 ? showText(text, 120) : 'SCHEMA'
  return `Check it when it is known: {"$check": [${toShown(value)}, ${shown}]}.`
}

function toShown(value: JsonValue): string {
  const text = JSON.stringify(value)
  return text.length <= 80 ? showText(text, 100) : 'VALUE'
}

/** A path of the comparison as a pointer: `/results/0/url`, with `*` for any item. */
function toInside(path: string): string {
  return path
    .replaceAll('[]', '/*')
    .replaceAll(/\[(\d+)\]/g, '/$1')
    .replaceAll('|', '')
}

/** The schema at a path of the comparison; undefined if it goes through something other than properties and items. */
function walk(place: Place, path: string, types: Types): Place | undefined {
  if (/[|{*]/.test(path)) return undefined
  let type: Type = { place, missing: 'never' }
  for (const [step] of path.matchAll(/\[\d*\]|\/[^/[]*/g)) {
    if (step === '[]') type = types.item(type)
    else if (step.startsWith('[')) type = types.at(type, step.slice(1, -1))
    else type = types.at(type, step.slice(1).replaceAll('~1', '/').replaceAll('~0', '~'))
    if (type.missing === 'always') return undefined
  }
  return type.place
}
