import { canonicalJson } from '../canonical-json.ts'
import type { JsonObject, JsonValue } from '../json.ts'
import { isMultiple } from '../schema/exact-keywords.ts'
import { type Place, placeIn } from './document.ts'
import { kindOf } from './kind.ts'
import type { Answer, Part, PartsOf } from './part.ts'

/**
 * Whether a part accepts a value. Answers the cheap cases only: objects and lists are not inspected, and patterns and
 * formats run only if the part says how.
 */
export function accepts(part: Part, value: JsonValue, partsOf: PartsOf): Answer {
  const { own, kinds, values, unions } = part
  const kind = kindOf(value)
  if (!kinds.has(kind)) return 'no'
  if (values && !values.has(canonicalJson(value))) return 'no'
  const inPlace = (place: Place) => all(partsOf(place).map((inner) => accepts(inner, value, partsOf)))
  const not = 'not' in own ? opposite(inPlace(placeIn(part.place, 'not'))) : 'yes'
  return all([
    typeof value === 'string' ? acceptsText(part, value) : 'yes',
    typeof value === 'number' ? acceptsNumber(own, value) : 'yes',
    (kind === 'object' || kind === 'array') && looksInside(own) ? 'unknown' : 'yes',
    not,
    'if' in own && ('then' in own || 'else' in own) ? 'unknown' : 'yes',
    ...unions.map(({ keyword, branches }) => {
      const answers = branches.map(inPlace)
      return keyword === 'anyOf' ? any(answers) : exactlyOne(answers)
    }),
  ])
}

/** Keywords that do not constrain the contents of an object or list. */
const others = new Set(
  'type const enum multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern format'
    .concat(' $ref allOf anyOf oneOf not if then else')
    .split(' '),
)

function looksInside(own: JsonObject): boolean {
  return Object.keys(own).some((name) => !others.has(name))
}

function acceptsText({ own, matches }: Part, text: string): Answer {
  const { minLength, maxLength, pattern, format } = own
  const length = [...text].length
  if (length < ((minLength as number) ?? 0) || length > ((maxLength as number) ?? length)) return 'no'
  if (pattern === undefined && format === undefined) return 'yes'
  return matches ? matches(text) : 'unknown'
}

function acceptsNumber(own: JsonObject, value: number): Answer {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = own as Record<string, number | undefined>
  const isInside =
    value >= (minimum ?? value) &&
    value <= (maximum ?? value) &&
    !(value <= (exclusiveMinimum ?? Number.NEGATIVE_INFINITY)) &&
    !(value >= (exclusiveMaximum ?? Number.POSITIVE_INFINITY))
  return isInside && (multipleOf === undefined || isMultiple(value, multipleOf)) ? 'yes' : 'no'
}

function all(answers: readonly Answer[]): Answer {
  if (answers.includes('no')) return 'no'
  return answers.includes('unknown') ? 'unknown' : 'yes'
}

function any(answers: readonly Answer[]): Answer {
  return opposite(all(answers.map(opposite)))
}

function exactlyOne(answers: readonly Answer[]): Answer {
  const sure = answers.filter((answer) => answer === 'yes').length
  if (sure > 1) return 'no'
  if (answers.includes('unknown')) return 'unknown'
  return sure === 1 ? 'yes' : 'no'
}

function opposite(answer: Answer): Answer {
  if (answer === 'unknown') return 'unknown'
  return answer === 'yes' ? 'no' : 'yes'
}
