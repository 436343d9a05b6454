import type { Place } from '../../contract/diff/document.ts'
import { type Lack, nothing, property, reportedBefore, tooComplex } from '../../contract/diff/lack.ts'
import type { JsonValue } from '../../contract/json.ts'
import { listValues } from '../../contract/schema/describe-schema.ts'
import { showText, showValue } from '../../contract/text/show-value.ts'
import { describeSource } from './source.ts'
import { narrowed, type Type, type Types } from './type.ts'
import { describeFormat, describeType } from './words.ts'

interface About {
  readonly type: Type
  readonly value: JsonValue
  readonly target: { readonly place: Place; readonly taker: string }
  readonly types: Types
}

/** What a value can be that is not accepted, what is accepted, and what to do, as sentences. */
export function describeLack(lacks: readonly Lack[], about: About): string {
  const [lack] = lacks.filter(({ keyword }) => keyword !== reportedBefore)
  const { type, value, target, types } = about
  const source = describeSource(value)
  const never = types.isImpossible(narrowed(type.place, target.place))
  if (!lack || lack.keyword === tooComplex)
    return `${source} cannot be compared with what ${target.taker} takes: that is too complex. ${toCheck(about)}`
  const verb = never ? 'is' : 'may be'
  const { subject, words, advice } = describe(lack, about, verb, source)
  return `${subject}${words} ${advice}`
}

function describe(
  lack: Lack,
  about: About,
  verb: string,
  source: string,
): { subject: string; words: string; advice: string } {
  const { type, target, types } = about
  const { taker } = target
  const inside = lack.path === '' ? '' : `${showText(toInside(lack.path), 120)} of `
  const subject = `${inside}${source}`
  const isWhole = lack.path === ''
  const { keyword, wanted, name } = lack
  const produced = isWhole ? describeType(type.place, types) : 'something else'
  const check = toCheck(about)
  const says = (words: string, advice = check) => ({ subject, words, advice })
  switch (keyword) {
    case 'type':
      if (isWhole) return says(` ${verb} ${produced}; ${taker} takes only ${describeType(target.place, types)}.`, toTypeAdvice(about, check)) // biome-ignore format: one line
      return says(` may have another type than ${showValue(wanted)}, which ${taker} requires.`)
    case 'enum':
      return says(
        ` ${verb} ${isWhole ? produced : 'another value'}; ${taker} takes only one of ${listValues(wanted as JsonValue[], 8)}.`,
      )
    case 'const':
      return says(` ${verb} ${isWhole ? produced : 'another value'}; ${taker} takes only ${showValue(wanted)}.`)
    case 'format':
      return says(` may be any string; ${taker} takes only ${describeFormat(wanted!)}.`)
    case 'pattern':
      return says(` may be any string; ${taker} takes only strings that match ${showText(String(wanted), 100)}.`)
    case 'minimum':
      return says(` may be less than ${wanted}; ${taker} takes ${wanted} or more.`)
    case 'exclusiveMinimum':
      return says(` may be ${wanted} or less; ${taker} takes only more than ${wanted}.`)
    case 'maximum':
      return says(` may be more than ${wanted}; ${taker} takes at most ${wanted}.`)
    case 'exclusiveMaximum':
      return says(` may be ${wanted} or more; ${taker} takes only less than ${wanted}.`)
    case 'multipleOf':
      return says(` may not be a multiple of ${wanted}, which ${taker} requires.`)
    case 'minLength':
      return says(` may have fewer than ${count(wanted, 'character')}; ${taker} takes at least ${wanted}.`)
    case 'maxLength':
      return says(` may have more than ${count(wanted, 'character')}; ${taker} takes at most ${wanted}.`, toTruncate(wanted, isWhole, check)) // biome-ignore format: one line
    case 'minItems':
      return says(` may have fewer than ${count(wanted, 'item')}; ${taker} takes at least ${wanted}.`)
    case 'maxItems':
      return says(` may have more than ${count(wanted, 'item')}; ${taker} takes at most ${wanted}.`, toTruncate(wanted, isWhole, check)) // biome-ignore format: one line
    case 'uniqueItems':
      return says(` may have an item twice; ${taker} takes each item once.`)
    case 'required':
      return says(` may lack '${showText(name!)}', which ${taker} requires.`)
    case property:
      if (lack.found !== undefined) return says(` may have '${showText(name!)}', which ${taker} does not take.`, toPick(check)) // biome-ignore format: one line
      return says(` may have any '${showText(name!)}'; ${taker} takes only some.`)
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return says(` may have other properties; ${taker} takes none.`, toPick(check))
    case 'anyOf':
    case 'oneOf':
      return says(
        ` ${verb} ${produced}; ${taker} takes only ${isWhole ? describeType(target.place, types) : 'some forms'}.`,
      )
    case nothing:
      return says(` is given, but ${taker} takes no value here.`, 'Leave it out.')
    default:
      return says(` may not satisfy "${showText(keyword)}", which ${taker} requires.`)
  }
}

/** A path of the comparison, for people: `/results/*‍/url`. */
function toInside(path: string): string {
  return path
    .replaceAll('[]', '/*')
    .replaceAll(/\[(\d+)\]/g, '/$1')
    .replaceAll('|', '')
}

function toTypeAdvice({ type, types, target }: About, check: string): string {
  const [from, to] = [types.kinds(type.place), types.kinds(target.place)]
  const isOnly = (kinds: ReadonlySet<string>, ...names: string[]) => [...kinds].every((kind) => names.includes(kind))
  if (isOnly(from, 'integer', 'fraction') && to.has('string')) return 'Make it a string: {"$join": [VALUE]}.'
  if (isOnly(from, 'array') && !to.has('array')) return 'Refer to one of its items, or use forEach.'
  if (!from.has('array') && isOnly(to, 'array')) return 'Put it into a list: [VALUE].'
  if (isOnly(from, 'object') && !to.has('object')) return 'Refer to one of its properties.'
  if (types.isImpossible(narrowed(type.place, target.place))) return 'Give another value.'
  return check
}

function toPick(check: string): string {
  return `Write an object with the properties that it takes. ${check.replace('Wrap', 'Or wrap')}`
}

function toTruncate(max: JsonValue | undefined, isWhole: boolean, check: string): string {
  return isWhole ? `Shorten it: {"$truncate": [VALUE, ${max}]}.` : check
}

function toCheck(_: About): string {
  return 'Wrap it in {"$check": [VALUE, SCHEMA]}: then the step fails if the value does not match.'
}

function count(number: JsonValue | undefined, unit: string): string {
  return `${number} ${unit}${number === 1 ? '' : 's'}`
}
