import { canonicalJson } from '../canonical-json.ts'
import type { JsonValue } from '../json.ts'
import { showText, showValue } from '../text/show-value.ts'
import type { Difference, Side } from './diff-schemas.ts'
import { nothing, property, tooComplex } from './lack.ts'

/** A difference as a sentence, and its effect on callers. */
export function describeDifference(difference: Difference, side: Side): string {
  if (difference.isUnknown) {
    return `${toChanged(difference)} The keyword is unknown, so callers may depend on it.`
  }
  return `${toSentence(difference)} ${toEffect(difference, side)}`
}

function toSentence(difference: Difference): string {
  const { keyword, before, after, narrows } = difference
  const name = quote(difference.name ?? '')
  switch (keyword) {
    case property:
      return `The property ${name} was ${before === undefined ? 'added' : 'removed'}.`
    case 'required':
      return narrows ? `The property ${name} is now required.` : `The property ${name} is no longer required.`
    case 'enum':
      return Array.isArray(before) && Array.isArray(after) ? toEnumSentence(before, after) : toChanged(difference)
    case 'additionalProperties':
    case 'unevaluatedProperties':
      if (after === false && narrows) return 'Other properties are no longer allowed.'
      return before === false && !narrows ? 'Other properties are now allowed.' : toChanged(difference)
    case 'dependentRequired':
    case 'dependentSchemas':
      return `The conditions that apply if the property ${name} is present changed (${keyword}).`
    case 'patternProperties':
      return `The schema of properties that match ${name} changed.`
    case nothing:
      return narrows ? 'No value is allowed here any more.' : 'A value is now allowed here.'
    case tooComplex:
      return 'The schema changed in a way that is too complex to compare.'
    default:
      return toChanged(difference)
  }
}

function toEnumSentence(before: readonly JsonValue[], after: readonly JsonValue[]): string {
  const [gained, lost] = [without(after, before), without(before, after)]
  const parts = [
    ...(lost.length > 0 ? [`lost ${toListText(lost)}`] : []),
    ...(gained.length > 0 ? [`gained ${toListText(gained)}`] : []),
  ]
  return parts.length > 0 ? `enum ${parts.join(' and ')}.` : 'enum changed.'
}

function toListText(values: readonly JsonValue[]): string {
  const max = 10
  const rest = values.length > max ? ` and ${values.length - max} more` : ''
  return (
    values
      .slice(0, max)
      .map((value) => showValue(value))
      .join(', ') + rest
  )
}

function without(values: readonly JsonValue[], others: readonly JsonValue[]): JsonValue[] {
  const texts = new Set(others.map((value) => canonicalJson(value)))
  return values.filter((value) => !texts.has(canonicalJson(value)))
}

function toChanged({ keyword, before, after }: Difference): string {
  const word = showText(keyword)
  if (before === undefined && after === undefined) return `${word} changed.`
  if (before === undefined) return `${word} was added: ${showValue(after)}.`
  if (after === undefined) return `${word} was removed: ${showValue(before)}.`
  return `${word} changed from ${showValue(before)} to ${showValue(after)}.`
}

function toEffect({ narrows, widens }: Difference, side: Side): string {
  const verb = side === 'input' ? 'accepts' : 'may return'
  return `The tool ${verb} ${narrows && widens ? 'other values than' : narrows ? 'less than' : 'more than'} before.`
}

function quote(name: string): string {
  return `'${showText(name)}'`
}
